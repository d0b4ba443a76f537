package io.sluice.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.events.EventExplanation.FieldReading;
import io.sluice.events.EventSelectors.ValueRules;
import io.sluice.events.EventTimes.Unit;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.schemas.UserAction;
import io.sluice.schemas.UserActionCodec;
import io.sluice.testing.ProtobufBytes;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the selector of the time after which an event is of no use. */
class ExpiryFieldTest {
  private static final Origin ORIGIN = Origin.parse("user-actions-0-17");
  private static final long END_MS = 1_795_251_600_500L;
  private static final EventSelectors UNTIL = selectors("until", EventTimes.DEFAULT);

  private static EventSelectors selectors(String expires, EventTimes times) {
    return EventSelectors.of(Map.of(Role.EXPIRES, expires), Map.of(), new ValueRules(times, 1));
  }

  private static Event read(EventSelectors selectors, byte[] value)
      throws UnreadableEventException {
    return read(selectors, new SchemaConfig.NoSchemas(), value);
  }

  private static Event read(EventSelectors selectors, Schemas schemas, byte[] value)
      throws UnreadableEventException {
    TopicDecoder decoder = new TopicDecoder(selectors, schemas);
    RawRecord record = RawRecord.ofValue(value, ORIGIN, 5);
    return decoder.read(record, value, decoder.input("user-actions"));
  }

  private static byte[] json(String end) {
    return ("{\"userId\":\"ada\",\"action\":\"sms\"" + end + "}").getBytes(UTF_8);
  }

  private static byte[] framed(byte[] body) {
    return ByteBuffer.allocate(5 + body.length).put((byte) 0).putInt(7).put(body).array();
  }

  private static Schemas schemas(SchemaDefinition definition) {
    return new SchemaConfig.SchemaFiles(Map.of(7L, definition), UNTIL);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1795251600500",
        "\"1795251600500\"",
        "1795251600500999",
        "\"2026-11-21T09:00:00.500Z\"",
        "\"2026-11-21T10:00:00.5+01:00\""
      })
  void itIsReadAsTheEventTimeIs(String text) throws UnreadableEventException {
    assertThat(read(UNTIL, json(",\"until\":" + text)).expiresAtMs()).isEqualTo(END_MS);
  }

  @Test
  void theSettingsOfTimesApplyToIt() throws UnreadableEventException {
    EventTimes times =
        new EventTimes(
            Unit.S,
            Optional.of(DateTimeFormatter.ofPattern("dd.MM.uuuu HH:mm")),
            Optional.of(ZoneId.of("Europe/Berlin")));
    EventSelectors selectors = selectors("until", times);

    assertThat(read(selectors, json(",\"until\":1795251600.5")).expiresAtMs()).isEqualTo(END_MS);
    assertThat(read(selectors, json(",\"until\":\"21.11.2026 10:00\"")).expiresAtMs())
        .isEqualTo(1_795_251_600_000L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",\"until\":null", ",\"other\":1"})
  void withoutAValueThereIsNoEnd(String end) throws UnreadableEventException {
    assertThat(read(UNTIL, json(end)).expiresAtMs()).isEqualTo(Long.MAX_VALUE);
    assertThat(read(EventSelectors.DEFAULT, json(end)).expiresAtMs()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void withoutASelectorNoFieldIsRead() throws UnreadableEventException {
    assertThat(EventSelectors.DEFAULT.has(Role.EXPIRES)).isFalse();
    assertThat(read(EventSelectors.DEFAULT, json(",\"expires\":\"never\"")).expiresAtMs())
        .isEqualTo(Long.MAX_VALUE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"never\" | until is not a time in ISO-8601",
        "\"\" | until is not a time in ISO-8601",
        "\"2026-11-21T09:00:00\" | until is a local time",
        "1795251600 | until looks like seconds and must be epoch milliseconds",
        "true | until must be a time",
        "{} | until must be a time",
        "-1 | until must be epoch milliseconds since 1970: -1",
        "1e30 | until is out of range"
      })
  void aValueThatIsNoTimeMakesADeadLetter(String value, String why) {
    assertThatThrownBy(() -> read(UNTIL, json(",\"until\":" + value)))
        .isInstanceOfSatisfying(
            UnreadableEventException.class,
            e -> assertThat(e.kind()).isEqualTo(FaultKind.INVALID_FIELD))
        .hasMessageStartingWith(why);
  }

  @Test
  void itMayBeLongAgoOrFarAway() throws UnreadableEventException {
    assertThat(read(UNTIL, json(",\"until\":0")).expiresAtMs()).isZero();
    assertThat(read(UNTIL, json(",\"until\":\"9999-12-31T23:59:59Z\"")).expiresAtMs())
        .isEqualTo(253_402_300_799_000L);
  }

  @Test
  void itMayComeFromAHeaderOrFromOneOfTwoFields() throws UnreadableEventException {
    EventSelectors header = selectors("$headers.expires", EventTimes.DEFAULT);
    byte[] value = json("");
    RecordHeaders headers = new RecordHeaders();
    headers.add("expires", "2026-11-21T09:00:00.500Z".getBytes(UTF_8));
    RawRecord record = new RawRecord(null, value, headers, ORIGIN, 5);
    TopicDecoder decoder = new TopicDecoder(header, new SchemaConfig.NoSchemas());

    assertThat(decoder.read(record, value, decoder.input("user-actions")).expiresAtMs())
        .isEqualTo(END_MS);
    assertThat(
            read(
                    selectors("until // meta.end", EventTimes.DEFAULT),
                    json(",\"meta\":{\"end\":1795251600500}"))
                .expiresAtMs())
        .isEqualTo(END_MS);
  }

  @Test
  void avroHasItInATimestamp() throws UnreadableEventException {
    String schema =
        """
        {"type": "record", "name": "Sms", "fields": [
          {"name": "userId", "type": "string"}, {"name": "action", "type": "string"},
          {"name": "until", "type": ["null", {"type": "long", "logicalType": "timestamp-millis"}]}]}""";
    Schemas schemas = schemas(SchemaDefinition.of(SchemaDefinition.Type.AVRO, schema));
    byte[] without = {6, 'a', 'd', 'a', 6, 's', 'm', 's', 0};
    byte[] with = {6, 'a', 'd', 'a', 6, 's', 'm', 's', 2, (byte) 0xD0, 0x0F};

    assertThat(read(UNTIL, schemas, framed(without)).expiresAtMs()).isEqualTo(Long.MAX_VALUE);
    assertThat(read(UNTIL, schemas, framed(with)).expiresAtMs()).isEqualTo(1_000);
  }

  @Test
  void protobufHasItInATimestamp() throws UnreadableEventException {
    String schema =
        """
        syntax = "proto3";
        import "google/protobuf/timestamp.proto";
        message Sms { string user_id = 1; string action = 2; google.protobuf.Timestamp until = 3; }
        """;
    Schemas schemas = schemas(SchemaDefinition.of(SchemaDefinition.Type.PROTOBUF, schema));
    ProtobufBytes without = new ProtobufBytes().raw((byte) 0).text(1, "ada").text(2, "sms");
    ProtobufBytes end = new ProtobufBytes().number(1, END_MS / 1_000).number(2, 500_000_000);

    assertThat(read(UNTIL, schemas, framed(without.toBytes())).expiresAtMs())
        .isEqualTo(Long.MAX_VALUE);
    assertThat(read(UNTIL, schemas, framed(without.message(3, end).toBytes())).expiresAtMs())
        .isEqualTo(END_MS);
  }

  @Test
  void aUserActionHasItInAnAttribute() throws UnreadableEventException {
    byte[] action =
        UserActionCodec.encode(
            UserAction.newBuilder()
                .setEventId("e1")
                .setUserId("ada")
                .setAction("sms")
                .setOccurredAt(Instant.ofEpochMilli(5))
                .setCost(1)
                .setTarget(null)
                .setAttributes(Map.of("until", "2026-11-21T09:00:00.500Z"))
                .build());

    assertThat(read(selectors("attributes.until", EventTimes.DEFAULT), action).expiresAtMs())
        .isEqualTo(END_MS);
    assertThat(read(selectors("attributes.end", EventTimes.DEFAULT), action).expiresAtMs())
        .isEqualTo(Long.MAX_VALUE);
    Event other = read(UNTIL, action);
    assertThat(other.expiresAtMs()).as("not a field of UserAction").isEqualTo(Long.MAX_VALUE);
    assertThat(other.userId()).isEqualTo("ada");
    assertThat(read(EventSelectors.DEFAULT, action).expiresAtMs()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void theExplanationOfARecordShowsIt() {
    assertThat(explained(UNTIL, ",\"until\":1795251600500"))
        .contains(
            new FieldReading("expires", "until", "2026-11-21T09:00:00.500Z (1795251600500)", ""));
    assertThat(explained(UNTIL, ""))
        .contains(new FieldReading("expires", "until", "", "missing: the event has no end"));
    assertThat(explained(UNTIL, ",\"until\":true"))
        .contains(new FieldReading("expires", "until", "", "until must be a time"));
    assertThat(explained(EventSelectors.DEFAULT, ""))
        .noneMatch(reading -> reading.field().equals("expires"));
  }

  private static List<FieldReading> explained(EventSelectors selectors, String end) {
    RawRecord record = RawRecord.ofValue(json(end), ORIGIN, 5);
    return new EventExplanation(selectors, SchemaConfig.NONE, "user-actions").of(record, Set.of());
  }
}

package io.sluice.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.events.EventSelectors.ValueRules;
import io.sluice.events.SelectedEvent.InputTopic;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of events in Avro's records: their values become those that metering needs. */
class RecordEventsTest {
  private static final String ORIGIN = "user-actions-0-17";
  private static final String FLAT =
      """
      {"type": "record", "name": "Click", "namespace": "people", "fields": [
        {"name": "userId", "type": %s}, {"name": "action", "type": "string"}%s]}""";

  private static String flat(String userType, String moreFields) {
    return FLAT.formatted(userType, moreFields);
  }

  /** Returns the schema of a click with a time of a type in Avro's JSON. */
  private static String timed(String type) {
    return flat("\"string\"", ", {\"name\": \"occurredAt\", \"type\": " + type + "}");
  }

  private static Event read(String schema, String body) throws UnreadableEventException {
    return read(EventSelectors.DEFAULT, schema, body);
  }

  private static Event read(EventSelectors selectors, String schema, String body)
      throws UnreadableEventException {
    byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
    byte[] value = ByteBuffer.allocate(5 + bytes.length).put((byte) 0).putInt(7).put(bytes).array();
    Schemas schemas =
        new SchemaConfig.SchemaFiles(
            Map.of(7L, SchemaDefinition.of(SchemaDefinition.Type.AVRO, schema)), selectors);
    return new TopicDecoder(selectors, schemas)
        .read(
            RawRecord.ofValue(value, Origin.parse(ORIGIN), 5),
            value,
            new InputTopic("user-actions", ""));
  }

  @Test
  void whatIsNotThereHasItsDefault() throws UnreadableEventException {
    Event event = read(flat("[\"null\", \"string\"]", ""), "\u0000\u0008post");

    assertThat(event.userId()).isEmpty();
    assertThat(event.action()).isEqualTo("post");
    assertThat(event.eventId()).isEqualTo(ORIGIN);
    assertThat(event.target()).isEmpty();
    assertThat(event.cost()).isEqualTo(1);
    assertThat(event.occurredAtMs()).isEqualTo(5);
    assertThat(event.topic()).isEqualTo("user-actions");
    assertThat(event.attribute("country")).isEmpty();
  }

  @Test
  void aTimeThatIsNoTimeIsRefused() throws UnreadableEventException {
    String schema = timed("\"string\"");

    assertThat(read(schema, "\u0006ada\u0008post\u00281970-01-01T00:00:01Z").occurredAtMs())
        .isEqualTo(1_000);
    assertThatThrownBy(() -> read(schema, "\u0006ada\u0008post\u0006now"))
        .isInstanceOfSatisfying(
            UnreadableEventException.class,
            e -> assertThat(e.kind()).isEqualTo(FaultKind.INVALID_FIELD))
        .hasMessage("occurredAt is not a time in ISO-8601, such as 2026-11-21T09:00:00Z");
  }

  @ParameterizedTest
  @CsvSource({"millis, 2001", "micros, 2", "nanos, 0"})
  void aLogicalTypeSaysTheUnit(String unit, long ms) throws UnreadableEventException {
    String type = "{\"type\": \"long\", \"logicalType\": \"timestamp-" + unit + "\"}";

    assertThat(read(timed(type), "\u0006ada\u0008post\u00a2\u001f").occurredAtMs()).isEqualTo(ms);
  }

  @Test
  void aLocalTimeNeedsAZone() throws UnreadableEventException {
    String schema = timed("{\"type\": \"long\", \"logicalType\": \"local-timestamp-millis\"}");
    String body = "\u0006ada\u0008post\u0000";
    EventTimes times =
        new EventTimes(EventTimes.Unit.AUTO, Optional.empty(), Optional.of(ZoneId.of("+01:00")));
    EventSelectors zoned = EventSelectors.of(Map.of(), Map.of(), new ValueRules(times, 1));

    assertThat(read(zoned, schema, body).occurredAtMs()).isEqualTo(-3_600_000);
    assertThatThrownBy(() -> read(schema, body))
        .hasMessageStartingWith("occurredAt is a local time: its offset, such as Z or +01:00, is");
  }

  @Test
  void aDateIsNoTimeBehindAnotherAlternativeEither() {
    String schema = timed("{\"type\": \"int\", \"logicalType\": \"date\"}");
    EventSelectors selectors =
        EventSelectors.of(Map.of(Role.TIME, "at // occurredAt"), Map.of(), ValueRules.DEFAULT);

    assertThatThrownBy(() -> read(selectors, schema, "\u0006ada\u0008post\u0002"))
        .hasMessage("at // occurredAt is a number in a unit that is no time");
  }

  @Test
  void aNumberOrABooleanIsAUser() throws UnreadableEventException {
    assertThat(read(flat("\"boolean\"", ""), "\u0001\u0008post").userId()).isEqualTo("true");
    assertThat(read(flat("\"long\"", ""), "\u0054\u0008post").userId()).isEqualTo("42");
    String fortyTwo = "\u0000\u0000\u0028\u0042";
    assertThat(read(flat("\"float\"", ""), fortyTwo + "\u0008post").userId()).isEqualTo("42");
  }

  @Test
  void aCostMayBeTextOrAFloat() throws UnreadableEventException {
    String text = flat("\"string\"", ", {\"name\": \"cost\", \"type\": \"string\"}");
    String number = flat("\"string\"", ", {\"name\": \"cost\", \"type\": \"float\"}");

    assertThat(read(text, "\u0006ada\u0008post\u0004\u0033\u0031").cost()).isEqualTo(31);
    assertThat(read(number, "\u0006ada\u0008post\u0000\u0000\u0028\u0042").cost()).isEqualTo(42);
    assertThatThrownBy(() -> read(text, "\u0006ada\u0008post\u0002x"))
        .hasMessage("cost must be a whole number: x");
    assertThatThrownBy(() -> read(number, "\u0006ada\u0008post\u0000\u0000\u0000\u003f"))
        .hasMessage("cost must be a whole number: 0.5");
  }

  @Test
  void aSchemaThatDoesNotFitIsNamedByItsId() {
    assertThatThrownBy(() -> read("{\"type\": \"record\", \"name\": \"R\", \"fields\": []}", ""))
        .isInstanceOf(UnreadableEventException.class)
        .hasMessage("schema 7 cannot be used: R has no field userId, which is the user");
  }

  private static EventSelectors attribute(String selector) {
    return EventSelectors.of(Map.of(), Map.of("x", selector), ValueRules.DEFAULT);
  }

  private static void refused(FaultKind kind, String why, String selector, String... record) {
    assertThatThrownBy(() -> read(attribute(selector), record[0], record[1]))
        .isInstanceOfSatisfying(
            UnreadableEventException.class, e -> assertThat(e.kind()).isEqualTo(kind))
        .hasMessage(why);
  }

  @ParameterizedTest
  @CsvSource({"bytes, '\"bytes\"'", "bytes, '[\"null\", \"bytes\"]'"})
  void bytesAreAFaultOnlyIfASelectorChoosesThem(String name, String type)
      throws UnreadableEventException {
    String schema = flat("\"string\"", ", {\"name\": \"seal\", \"type\": " + type + "}");
    String branch = type.startsWith("[") ? "\u0002" : "";
    String body = "\u0006ada\u0008post" + branch + "\u0002x";

    assertThat(read(attribute("userId // seal"), schema, body).attribute("x")).isEqualTo("ada");
    assertThat(read(attribute("none // action"), schema, body).attribute("x")).isEqualTo("post");
    refused(
        FaultKind.INVALID_FIELD,
        "seal // userId is of type " + name,
        "seal // userId",
        schema,
        body);
    refused(FaultKind.INVALID_FIELD, "seal | lower is of type bytes", "seal | lower", schema, body);
  }

  @Test
  void anEntryThatIsReadOccursOnce() throws UnreadableEventException {
    String schema =
        flat(
            "\"string\"",
            ", {\"name\": \"tags\", \"type\": {\"type\": \"map\", \"values\": \"string\"}}");
    String body = "\u0006ada\u0008post\u0006\u0002a\u0002x\u0002b\u0002y\u0002a\u0002z\u0000";

    assertThat(read(attribute("tags.b"), schema, body).attribute("x")).isEqualTo("y");
    assertThat(read(attribute("tags | count"), schema, body).attribute("x")).isEqualTo("3");
    refused(FaultKind.DUPLICATE_FIELD, "tags.a occurs twice in one map", "tags.a", schema, body);
    refused(
        FaultKind.DUPLICATE_FIELD,
        "tags.a occurs twice in one map",
        "tags.b // tags.a",
        schema,
        body);
  }
}

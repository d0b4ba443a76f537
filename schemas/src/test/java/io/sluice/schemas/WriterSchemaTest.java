package io.sluice.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.avro.io.BinaryEncoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WriterSchemaTest {
  private static final String REQUIRED =
      """
      {"name": "userId", "type": "string"}, {"name": "eventId", "type": "string"},
      {"name": "action", "type": "string"}, {"name": "occurredAt", "type": "int"}""";

  private static final String EVERY_TYPE =
      """
      , {"name": "more", "type": {"type": "record", "name": "More", "fields": [
        {"name": "none", "type": "null"}, {"name": "flag", "type": "boolean"},
        {"name": "small", "type": "int"}, {"name": "large", "type": "long"},
        {"name": "single", "type": "float"}, {"name": "precise", "type": "double"},
        {"name": "raw", "type": "bytes"}, {"name": "text", "type": "string"},
        {"name": "hash", "type": {"type": "fixed", "name": "Hash", "size": 3}},
        {"name": "suit", "type": {"type": "enum", "name": "Suit", "symbols": ["RED", "BLACK"]}},
        {"name": "list", "type": {"type": "array", "items": "int"}},
        {"name": "maps", "type": {"type": "map", "values": ["null", "long"]}}]}}""";

  private static final String LINKS =
      """
      , {"name": "links", "type": {"type": "record", "name": "Link", "fields": [
        {"name": "next", "type": ["null", "Link"]}]}}""";

  private static final String NOTHINGS =
      """
      , {"name": "nothings", "type": {"type": "array", "items": {"type": "array", "items": "null"}}}""";

  @Test
  void whatAnOlderWriterLeftOutHasItsDefault() {
    byte[] body = required(out -> {});
    WriterSchema older = WriterSchema.parse(recordOf(REQUIRED));

    assertThat(older.decode(body, 0, body.length))
        .isEqualTo(new UserAction("e", "u", "post", Instant.ofEpochMilli(7), 1L, null, Map.of()));
    UserActionView view = older.view(body, 0, body.length);
    assertThat(view.eventId()).isEqualTo("e");
    assertThat(view.userId()).isEqualTo("u");
    assertThat(view.occurredAtMs()).isEqualTo(7);
    assertThat(view.cost()).isEqualTo(1);
    assertThat(view.hasTarget()).isFalse();
    assertThat(view.attribute("k")).isEmpty();
  }

  @Test
  void whatAnotherWriterAddedIsPassedOver() {
    byte[] body = required(WriterSchemaTest::writeEveryType);
    WriterSchema wider = WriterSchema.parse(recordOf(REQUIRED + EVERY_TYPE));

    assertThat(wider.view(body, 0, body.length).eventId()).isEqualTo("e");
    for (int length = 0; length < body.length; length++) {
      int truncated = length;
      assertThatThrownBy(() -> wider.decode(body, 0, truncated))
          .as("%d of %d bytes", length, body.length)
          .isInstanceOf(UndecodableException.class);
    }
  }

  @Test
  void aBodyOfTodaysSchemaIsViewedAsItIs() {
    byte[] encoded = UserActionCodec.encode(new RandomActions(41).next());
    WriterSchema current =
        WriterSchema.parse(PublishedSchemas.load("UserAction").get(0).toString());

    assertThat(current.view(encoded, 10, encoded.length - 10).eventId())
        .isEqualTo(UserActionView.of(encoded).eventId());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000_000})
  void aBodyThatIsNestedWithoutEndIsRefused(int links) {
    byte[] body =
        required(
            out -> {
              for (int i = 0; i < links; i++) {
                out.writeIndex(1);
              }
              out.writeIndex(0);
            });
    WriterSchema linked = WriterSchema.parse(recordOf(REQUIRED + LINKS));

    if (links == 1) {
      assertThat(linked.decode(body, 0, body.length).getEventId()).isEqualTo("e");
    } else {
      assertThatThrownBy(() -> linked.decode(body, 0, body.length))
          .isInstanceOf(UndecodableException.class)
          .hasMessage("next: nested more than 64 deep");
    }
  }

  @Test
  void itemsWithoutBytesAreNoWayToKeepTheReaderBusy() {
    int lists = 200_000;
    byte[] body =
        required(
            out -> {
              out.writeLong(lists);
              for (int i = 0; i < lists; i++) {
                out.writeLong(lists);
                out.writeLong(0);
              }
              out.writeLong(0);
            });
    WriterSchema nothings = WriterSchema.parse(recordOf(REQUIRED + NOTHINGS));

    assertThatThrownBy(() -> nothings.decode(body, 0, body.length))
        .isInstanceOf(UndecodableException.class)
        .hasMessageContaining("items announced");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          { | not an Avro schema
          "string" | must be a record, not a string
          {"type": "record", "name": "UserAction", "fields": []} | cannot be read as UserAction: reader field missing default value at /fields/0: eventId
          [] | must be a record, not a union
          """)
  void aSchemaThatNoActionCanBeReadFromIsRefused(String json, String why) {
    assertThatThrownBy(() -> WriterSchema.parse(json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  @Test
  void anotherUnitOfTimeIsRefused() {
    String micros =
        PublishedSchemas.load("UserAction").get(0).toString().replace("-millis", "-micros");

    assertThatThrownBy(() -> WriterSchema.parse(micros))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("occurredAt: must be timestamp-millis, not timestamp-micros");
  }

  private static String recordOf(String fields) {
    return """
        {"type": "record", "name": "UserAction", "namespace": "io.sluice.schemas", "fields": [%s]}"""
        .formatted(fields);
  }

  private static byte[] required(Bytes.Writing rest) {
    return Bytes.body(
        out -> {
          out.writeString("u");
          out.writeString("e");
          out.writeString("post");
          out.writeInt(7);
          rest.to(out);
        });
  }

  private static void writeEveryType(BinaryEncoder out) throws IOException {
    out.writeBoolean(true);
    out.writeInt(-5);
    out.writeLong(Long.MIN_VALUE);
    out.writeFloat(1.5f);
    out.writeDouble(-0.0);
    out.writeBytes(new byte[] {(byte) 0xff, 2});
    out.writeString("é");
    out.writeFixed(new byte[] {1, 2, 3});
    out.writeEnum(1);
    out.writeLong(2);
    out.writeInt(1);
    out.writeInt(2);
    out.writeLong(0);
    out.writeLong(1);
    out.writeString("k");
    out.writeIndex(1);
    out.writeLong(9);
    out.writeLong(0);
  }
}

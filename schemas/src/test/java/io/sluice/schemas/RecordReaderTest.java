package io.sluice.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordReaderTest {
  private static final int SAMPLES = 300;
  private static final String FLAT =
      """
      {"type": "record", "name": "Click", "namespace": "people", "fields": [
        {"name": "userId", "type": %s}, {"name": "action", "type": "string"}%s]}""";

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void readsTheFieldsWhereverTheyAre(long seed) {
    RandomRecords records = new RandomRecords(seed);
    for (int i = 0; i < SAMPLES; i++) {
      RandomRecords.Sample sample = records.next();
      byte[] moved = new byte[sample.body().length + 8];
      System.arraycopy(sample.body(), 0, moved, 5, sample.body().length);

      RecordView view = sample.reader().read(moved, 5, sample.body().length);

      assertThat(
              Map.<Role, Object>of(
                  Role.USER, view.user(),
                  Role.ACTION, view.action(),
                  Role.ID, view.id(),
                  Role.TARGET, view.target(),
                  Role.TIME, view.timeMs(),
                  Role.COST, view.cost()))
          .as("seed %d, sample %d: %s", seed, i, sample.schema())
          .isEqualTo(sample.said());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void whatIsCutShortOrLongerIsRefused(long seed) {
    RandomRecords records = new RandomRecords(seed);
    for (int i = 0; i < SAMPLES; i++) {
      RandomRecords.Sample sample = records.next();
      RecordReader reader = sample.reader();
      for (int length = 0; length <= sample.body().length + 1; length++) {
        if (length == sample.body().length) continue;
        byte[] bytes = Arrays.copyOf(sample.body(), length);
        assertThatThrownBy(() -> reader.read(bytes, 0, bytes.length))
            .as("seed %d, sample %d, %d of %d bytes", seed, i, length, sample.body().length)
            .isInstanceOf(UndecodableException.class);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void damagedBytesAreReadOrRefusedAndNothingElse(long seed) {
    RandomRecords records = new RandomRecords(seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 10 * SAMPLES; i++) {
      RandomRecords.Sample sample = records.next();
      byte[] bytes = sample.body().clone();
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      try {
        sample.reader().read(bytes, 0, bytes.length).attribute("country");
      } catch (UndecodableException e) {
        assertThat(e).hasMessageNotContainingAny("\n");
      }
    }
  }

  @Test
  void readsWhatTheCodecWritesAsTheViewDoes() {
    RecordReader reader =
        RecordReader.parse(UserAction.getClassSchema().toString(), FieldPaths.DEFAULT);
    RandomActions actions = new RandomActions(5);
    for (int i = 0; i < SAMPLES; i++) {
      byte[] encoded = UserActionCodec.encode(actions.next());
      UserActionView expected = UserActionView.of(encoded);
      RecordView view = reader.read(encoded, 10, encoded.length - 10);

      assertThat(view.user()).isEqualTo(expected.userId());
      assertThat(view.action()).isEqualTo(expected.action());
      assertThat(view.id()).isEqualTo(expected.eventId());
      assertThat(view.timeMs()).isEqualTo(expected.occurredAtMs());
      assertThat(view.cost()).isEqualTo(expected.cost());
      assertThat(view.target()).isEqualTo(expected.target());
      for (String name : UserActionCodec.decode(encoded).getAttributes().keySet()) {
        assertThat(view.attribute(name)).isEqualTo(expected.attribute(name).orElseThrow());
      }
    }
  }

  @Test
  void whatIsNotThereHasItsDefault() {
    RecordView view = read(flat("[\"null\", \"string\"]", ""), "\u0000\u0008post");

    assertThat(view.user()).isEmpty();
    assertThat(view.action()).isEqualTo("post");
    assertThat(view.id()).isEmpty();
    assertThat(view.target()).isEmpty();
    assertThat(view.cost()).isEqualTo(1);
    assertThat(view.hasTime()).isFalse();
    assertThat(view.attribute("country")).isEmpty();
  }

  @Test
  void aBranchThatIsNoUseIsTheEventsFault() {
    RecordReader reader =
        RecordReader.parse(flat("[\"string\", \"bytes\"]", ""), FieldPaths.DEFAULT);

    assertThat(reader.read(Bytes.ascii("\u0000\u0006ada\u0008post"), 0, 10).user())
        .isEqualTo("ada");
    assertThatThrownBy(() -> reader.read(Bytes.ascii("\u0002\u0006ada\u0008post"), 0, 10))
        .isInstanceOf(UndecodableException.class)
        .hasMessageStartingWith("userId is of type bytes, and the user is a string");
  }

  @Test
  void scalarsOfARecordAreAttributes() {
    String schema =
        flat(
            "\"string\"",
            """
            , {"name": "meta", "type": ["null", {"type": "record", "name": "Meta", "fields": [
              {"name": "list", "type": {"type": "array", "items": "int"}},
              {"name": "flag", "type": "boolean"}, {"name": "half", "type": "float"},
              {"name": "ratio", "type": ["null", "double"]}, {"name": "none", "type": ["null", "int"]},
              {"name": "country", "type": "string"}]}]}""");
    byte[] body =
        Bytes.body(
            out -> {
              out.writeString("ada");
              out.writeString("post");
              out.writeIndex(1);
              out.writeLong(1);
              out.writeInt(7);
              out.writeLong(0);
              out.writeBoolean(true);
              out.writeFloat(0.5f);
              out.writeIndex(1);
              out.writeDouble(-2.25);
              out.writeIndex(0);
              out.writeString("nz");
            });
    FieldPaths paths = FieldPaths.DEFAULT.with(Role.ATTRIBUTES, "meta");
    RecordView view = RecordReader.parse(schema, paths).read(body, 0, body.length);

    assertThat(view.attribute("flag")).isEqualTo("true");
    assertThat(view.attribute("half")).isEqualTo("0.5");
    assertThat(view.attribute("ratio")).isEqualTo("-2.25");
    assertThat(view.attribute("country")).isEqualTo("nz");
    assertThat(view.attribute("none")).isEmpty();
    assertThat(view.attribute("list")).isEmpty();
    assertThat(view.attribute("elsewhere")).isEmpty();
  }

  @Test
  void theWholeRecordMayBeItsAttributes() {
    String schema = flat("\"long\"", ", {\"name\": \"country\", \"type\": \"string\"}");
    FieldPaths paths = FieldPaths.DEFAULT.with(Role.ATTRIBUTES, FieldPaths.WHOLE);
    RecordView view =
        RecordReader.parse(schema, paths).read(Bytes.ascii("\u000e\u0008post\u0004nz"), 0, 9);

    assertThat(view.user()).isEqualTo("7");
    assertThat(view.attribute("userId")).isEqualTo("7");
    assertThat(view.attribute("country")).isEqualTo("nz");
  }

  @Test
  void aTimeThatIsNoTimeIsRefused() {
    String schema = flat("\"string\"", ", {\"name\": \"occurredAt\", \"type\": \"string\"}");

    assertThat(read(schema, "\u0006ada\u0008post\u00281970-01-01T00:00:01Z").timeMs())
        .isEqualTo(1_000);
    assertThatThrownBy(() -> read(schema, "\u0006ada\u0008post\u0006now"))
        .isInstanceOf(UndecodableException.class)
        .hasMessageStartingWith("occurredAt: not a time in ISO-8601");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          { | not an Avro schema
          "string" | must be a record, not a string
          {"type": "record", "name": "R", "fields": []} | R has no field userId, which is the user
          {"type": "record", "name": "R", "fields": [{"name": "userId", "type": "string"}]} | R has no field action, which is the action
          {"type": "record", "name": "R", "fields": [{"name": "userId", "type": "double"}]} | userId is of type double, and the user is a string
          {"type": "record", "name": "R", "fields": [{"name": "userId", "type": ["null", "bytes"]}]} | userId is of type bytes, and the user is a string
          {"type": "record", "name": "R", "fields": [{"name": "cost", "type": "float"}]} | cost is of type float, and the cost is a whole number
          {"type": "record", "name": "R", "fields": [{"name": "attributes", "type": "string"}]} | attributes is of type string, and the attributes are a map or a record
          {"type": "record", "name": "R", "fields": [{"name": "occurredAt", "type": {"type": "long", "logicalType": "local-timestamp-millis"}}]} | occurredAt is of type long (local-timestamp-millis), and the time is
          {"type": "record", "name": "R", "fields": [{"name": "occurredAt", "type": {"type": "int", "logicalType": "date"}}]} | occurredAt is of type int (date), and the time is
          """)
  void aSchemaWithoutWhatIsNeededIsRefused(String json, String why) {
    assertThatThrownBy(() -> RecordReader.parse(json, FieldPaths.DEFAULT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  @Test
  void theFingerprintIsThatOfTheSchema() {
    assertThat(
            RecordReader.parse(UserAction.getClassSchema().toString(), FieldPaths.DEFAULT)
                .fingerprint())
        .isEqualTo(
            org.apache.avro.SchemaNormalization.parsingFingerprint64(
                new Schema.Parser().parse(UserAction.getClassSchema().toString())));
  }

  private static String flat(String userType, String moreFields) {
    return FLAT.formatted(userType, moreFields);
  }

  private static RecordView read(String schema, String body) {
    byte[] bytes = Bytes.ascii(body);
    return RecordReader.parse(schema, FieldPaths.DEFAULT).read(bytes, 0, bytes.length);
  }
}

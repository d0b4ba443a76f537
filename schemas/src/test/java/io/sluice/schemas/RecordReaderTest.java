package io.sluice.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.SamplePaths.Part;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordReaderTest {
  private static final int SAMPLES = 300;
  private static final String TEXT = "a string, a number, a boolean, an enum or a uuid";
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

      assertThat(sample.paths().values(view))
          .as("seed %d, sample %d: %s", seed, i, sample.schema())
          .isEqualTo(sample.said());
      for (Part part : Part.values())
        assertThat(sample.paths().areIn(sample.reader(), part)).isTrue();
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
    RecordReader reader = SamplePaths.DEFAULT.reader(UserAction.getClassSchema().toString());
    RandomActions actions = new RandomActions(5);
    for (int i = 0; i < SAMPLES; i++) {
      byte[] encoded = UserActionCodec.encode(actions.next());
      UserActionView expected = UserActionView.of(encoded);
      RecordView view = reader.read(encoded, 10, encoded.length - 10);

      assertThat(value(view, Part.USER)).isEqualTo(expected.userId());
      assertThat(value(view, Part.ACTION)).isEqualTo(expected.action());
      assertThat(value(view, Part.ID)).isEqualTo(expected.eventId());
      assertThat(value(view, Part.TIME))
          .isEqualTo(new Values.Timestamp(expected.occurredAtMs(), 1, false));
      assertThat(value(view, Part.COST)).isEqualTo(expected.cost());
      assertThat(value(view, Part.TARGET))
          .isEqualTo(expected.hasTarget() ? expected.target() : null);
      for (String name : UserActionCodec.decode(encoded).getAttributes().keySet()) {
        assertThat(view.attribute(name)).isEqualTo(expected.attribute(name).orElseThrow());
      }
    }
  }

  @Test
  void whatIsNotThereHasNoValue() {
    RecordReader reader = SamplePaths.DEFAULT.reader(flat("[\"null\", \"string\"]", ""));
    RecordView view = reader.read(Bytes.ascii("\u0000\u0008post"), 0, 6);

    assertThat(SamplePaths.DEFAULT.values(view)).isEqualTo(Map.of(Part.ACTION, "post"));
    assertThat(view.attribute("country")).isEmpty();
    assertThat(Part.values())
        .filteredOn(part -> SamplePaths.DEFAULT.areIn(reader, part))
        .containsExactly(Part.USER, Part.ACTION);
  }

  @Test
  void aBranchThatIsNoUseIsTheEventsFault() {
    RecordReader reader = SamplePaths.DEFAULT.reader(flat("[\"string\", \"bytes\"]", ""));

    assertThat(value(reader.read(Bytes.ascii("\u0000\u0006ada\u0008post"), 0, 10), Part.USER))
        .isEqualTo("ada");
    assertThatThrownBy(() -> reader.read(Bytes.ascii("\u0002\u0006ada\u0008post"), 0, 10))
        .isInstanceOf(UndecodableException.class)
        .hasMessage("userId is of type bytes; accepted is " + TEXT);
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
    RecordView view = SamplePaths.withAttributes("meta").reader(schema).read(body, 0, body.length);

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
    SamplePaths paths = SamplePaths.withAttributes("");
    RecordView view = paths.reader(schema).read(Bytes.ascii("\u000e\u0008post\u0004nz"), 0, 9);

    assertThat(paths.value(view, Part.USER)).isEqualTo(7L);
    assertThat(view.attribute("userId")).isEqualTo("7");
    assertThat(view.attribute("country")).isEqualTo("nz");
  }

  @ParameterizedTest
  @CsvSource({
    "timestamp-millis, 1, false",
    "timestamp-micros, 1000, false",
    "timestamp-nanos, 1000000, false",
    "local-timestamp-millis, 1, true",
    "local-timestamp-micros, 1000, true",
    "local-timestamp-nanos, 1000000, true"
  })
  void aLogicalTypeSaysTheUnit(String type, long perMilli, boolean isLocal) {
    String time = "{\"type\": \"long\", \"logicalType\": \"" + type + "\"}";

    assertThat(time(time, "\u000e")).isEqualTo(new Values.Timestamp(7, perMilli, isLocal));
  }

  @ParameterizedTest
  @CsvSource({"Timestamp, 1", "MicroTimestamp, 1000", "NanoTimestamp, 1000000"})
  void soDoesTheNameOfATypeOfDebezium(String type, long perMilli) {
    String time = "{\"type\": \"long\", \"connect.name\": \"io.debezium.time." + type + "\"}";

    assertThat(time(time, "\u000e")).isEqualTo(new Values.Timestamp(7, perMilli, false));
  }

  @Test
  void aTextForATimeStaysText() {
    assertThat(time("\"string\"", "\u00281970-01-01T00:00:01Z")).isEqualTo("1970-01-01T00:00:01Z");
    assertThat(time("\"string\"", "\u0006now")).isEqualTo("now");
  }

  private static Object time(String type, String encoded) {
    String schema = flat("\"string\"", ", {\"name\": \"occurredAt\", \"type\": " + type + "}");
    return value(read(schema, "\u0006ada\u0008post" + encoded), Part.TIME);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          { | not an Avro schema
          "string" | must be a record, not a string
          {"type": "record", "name": "R", "fields": [{"name": "userId", "type": "bytes"}]} | userId is of type bytes; accepted is a string, a number, a boolean, an enum or a uuid
          {"type": "record", "name": "R", "fields": [{"name": "userId", "type": ["null", "bytes"]}]} | userId is of type bytes; accepted is a string
          {"type": "record", "name": "R", "fields": [{"name": "userId", "type": {"type": "fixed", "name": "F", "size": 16}}]} | userId is of type fixed; accepted is a string
          {"type": "record", "name": "R", "fields": [{"name": "userId", "type": {"type": "array", "items": "string"}}]} | userId is of type array; accepted is a string
          {"type": "record", "name": "R", "fields": [{"name": "userId", "type": {"type": "map", "values": "string"}}]} | userId is of type map; accepted is a string
          {"type": "record", "name": "R", "fields": [{"name": "userId", "type": {"type": "record", "name": "S", "fields": []}}]} | userId is of type record; accepted is a string
          {"type": "record", "name": "R", "fields": [{"name": "cost", "type": "boolean"}]} | cost is of type boolean; accepted is a number or a string with a whole number
          {"type": "record", "name": "R", "fields": [{"name": "attributes", "type": "string"}]} | attributes is of type string; accepted is a map or a record
          {"type": "record", "name": "R", "fields": [{"name": "occurredAt", "type": "boolean"}]} | occurredAt is of type boolean; accepted is a time
          {"type": "record", "name": "R", "fields": [{"name": "occurredAt", "type": {"type": "long", "logicalType": "time-micros"}}]} | occurredAt is of type long (time-micros); accepted is a time: a number in a known unit
          {"type": "record", "name": "R", "fields": [{"name": "occurredAt", "type": {"type": "int", "logicalType": "date"}}]} | occurredAt is of type int (date); accepted is a time: a number in a known unit
          """)
  void aSchemaWithUnfitTypesIsRefused(String json, String why) {
    assertThatThrownBy(() -> SamplePaths.DEFAULT.reader(json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  private static final String BASKET =
      """
      {"type": "record", "name": "Basket", "fields": [
        {"name": "to", "type": {"type": "array", "items": ["null", "string"]}},
        {"name": "lines", "type": {"type": "array", "items":
          {"type": "record", "name": "Line", "fields": [
            {"name": "sku", "type": "string"},
            {"name": "tags", "type": {"type": "array", "items": "long"}}]}}},
        {"name": "by", "type": {"type": "map", "values": "string"}}]}""";

  /** Returns a basket in two blocks of recipients, of which the second says its size. */
  private static byte[] basket() {
    return Bytes.body(
        out -> {
          out.writeLong(2);
          out.writeIndex(1);
          out.writeString("ann");
          out.writeIndex(0);
          out.writeLong(-1);
          out.writeLong(5);
          out.writeIndex(1);
          out.writeString("bob");
          out.writeLong(0);
          out.writeLong(2);
          out.writeString("s0");
          out.writeLong(2);
          out.writeLong(7);
          out.writeLong(8);
          out.writeLong(0);
          out.writeString("s1");
          out.writeLong(0);
          out.writeLong(0);
          out.writeLong(1);
          out.writeString("desk");
          out.writeString("eve");
          out.writeLong(0);
        });
  }

  private static Object inBasket(String path, byte[] body) {
    PathTree.Builder builder = new PathTree.Builder();
    builder.add(SamplePaths.steps("by.desk"), PathTree.Use.TEXT); // another path, read as well
    int slot = builder.add(SamplePaths.steps(path), PathTree.Use.ANY);
    RecordReader reader = RecordReader.parse(BASKET, builder.build());
    return reader.read(body, 0, body.length).values().get(slot);
  }

  @ParameterizedTest
  @CsvSource({
    "to[0], ann",
    "to[2], bob",
    "lines[0].sku, s0",
    "lines[1].sku, s1",
    "lines[0].tags[1], 8",
    "by.desk, eve"
  })
  void anIndexLeadsToAnElement(String path, String value) {
    assertThat(inBasket(path, basket())).hasToString(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "to[1]",
        "to[3]",
        "to.x",
        "lines[2].sku",
        "lines[1].tags[0]",
        "lines.sku",
        "by[0]"
      })
  void whatIsNotInAListHasNoValue(String path) {
    assertThat(inBasket(path, basket())).isNull();
  }

  @Test
  void eachElementIsTaken() {
    assertThat(inBasket("to[]", basket())).isEqualTo(List.of("ann", "bob"));
    assertThat(inBasket("lines[].sku", basket())).isEqualTo(List.of("s0", "s1"));
    assertThat(inBasket("lines[].tags[]", basket())).isEqualTo(List.of(7L, 8L));
    assertThat(inBasket("lines[].tags[0]", basket())).isEqualTo(List.of(7L));
    assertThat(inBasket("lines[1].tags[]", basket())).isEqualTo(List.of());
    assertThat(inBasket("by.desk[]", basket())).isNull();
  }

  @Test
  void ofAListOrARecordTheSizeIsTaken() {
    assertThat(inBasket("to", basket())).isEqualTo(new Values.Structure(true, 3));
    assertThat(inBasket("lines[1].tags", basket())).isEqualTo(new Values.Structure(true, 0));
    assertThat(inBasket("lines[0]", basket())).isEqualTo(new Values.Structure(false, 2));
    assertThat(inBasket("by", basket())).isEqualTo(new Values.Structure(false, 1));
    assertThat(inBasket("lines[]", basket()))
        .isEqualTo(List.of(new Values.Structure(false, 2), new Values.Structure(false, 2)));
  }

  @Test
  void ofTheAttributesTheSizeIsTakenToo() {
    PathTree.Builder builder = new PathTree.Builder();
    builder.addAttributes(SamplePaths.steps("by"));
    int slot = builder.add(SamplePaths.steps("by"), PathTree.Use.ANY);
    RecordReader reader = RecordReader.parse(BASKET, builder.build());
    RecordView view = reader.read(basket(), 0, basket().length);

    assertThat(view.values().get(slot)).isEqualTo(new Values.Structure(false, 1));
    assertThat(view.attribute("desk")).isEqualTo("eve");
    assertThat(reader.has(slot)).isTrue();
  }

  @Test
  void aListThatIsCutShortIsRefused() {
    byte[] body = basket();
    for (int length = 0; length < body.length; length++) {
      byte[] cut = Arrays.copyOf(body, length);
      for (String path : List.of("to", "to[0]", "to[]", "lines[].tags[]", "by")) {
        assertThatThrownBy(() -> inBasket(path, cut)).isInstanceOf(UndecodableException.class);
      }
    }
    body[8] = 9; // the size of the second block
    assertThatThrownBy(() -> inBasket("to[]", body)).isInstanceOf(UndecodableException.class);
  }

  @Test
  void aSchemaSaysWhichPathsItHas() {
    PathTree.Builder builder = new PathTree.Builder();
    List<String> paths = List.of("to[5]", "lines[].sku", "by.any", "lines.sku", "to[0].x", "none");
    for (String path : paths) builder.add(SamplePaths.steps(path), PathTree.Use.TEXT);
    RecordReader reader = RecordReader.parse(BASKET, builder.build());

    assertThat(paths)
        .filteredOn(path -> reader.has(paths.indexOf(path)))
        .containsExactly("to[5]", "lines[].sku", "by.any");
  }

  @Test
  void theFingerprintIsThatOfTheSchema() {
    assertThat(SamplePaths.DEFAULT.reader(UserAction.getClassSchema().toString()).fingerprint())
        .isEqualTo(
            org.apache.avro.SchemaNormalization.parsingFingerprint64(
                new Schema.Parser().parse(UserAction.getClassSchema().toString())));
  }

  private static String flat(String userType, String moreFields) {
    return FLAT.formatted(userType, moreFields);
  }

  private static RecordView read(String schema, String body) {
    byte[] bytes = Bytes.ascii(body);
    return SamplePaths.DEFAULT.reader(schema).read(bytes, 0, bytes.length);
  }

  private static Object value(RecordView view, Part part) {
    return SamplePaths.DEFAULT.value(view, part);
  }
}

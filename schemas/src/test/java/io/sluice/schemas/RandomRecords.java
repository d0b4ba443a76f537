package io.sluice.schemas;

import io.sluice.schemas.SamplePaths.Part;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/**
 * Generator of records that other programs could have designed: they have the fields that metering
 * needs under any name and at any depth, among other fields, and in any type that can be read. The
 * same for the same seed.
 */
final class RandomRecords {
  private final SplittableRandom random;
  private int names;

  RandomRecords(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Record, the paths of its fields, and their values, as {@link Values} has them. */
  record Sample(Schema schema, SamplePaths paths, byte[] body, Map<Part, Object> said) {
    RecordReader reader() {
      return paths.reader(schema.toString());
    }
  }

  private record Value(Schema schema, Object datum) {}

  Sample next() {
    Map<Part, String> paths = new EnumMap<>(Part.class);
    Map<Part, Object> said = new EnumMap<>(Part.class);
    List<Part> left = new ArrayList<>(List.of(Part.values()));
    Collections.shuffle(left, new Random(random.nextLong()));
    Value whole = record("", left, paths, said);
    return new Sample(whole.schema, SamplePaths.of(paths), encoded(whole), said);
  }

  /** Returns a record that has all of these parts, directly or in nested records and maps. */
  private Value record(
      String path, List<Part> parts, Map<Part, String> paths, Map<Part, Object> said) {
    Map<String, Value> fields = new LinkedHashMap<>();
    for (int from = 0; from < parts.size(); ) {
      int to = Math.min(parts.size(), from + 1 + random.nextInt(2));
      List<Part> some = parts.subList(from, to);
      String name = "f" + names++;
      if (random.nextInt(3) == 0 && path.length() < 8) {
        fields.put(name, maybe(record(path + name + ".", some, paths, said)));
        from = to;
      } else if (random.nextInt(8) == 0 && isText(some.get(0))) {
        fields.put(name, maybe(map(path + name + ".", some.get(0), paths, said)));
        from++;
      } else if (random.nextInt(8) == 0) {
        fields.put(name, maybe(list(path + name, some.get(0), paths, said)));
        from++;
      } else {
        Part part = some.get(0);
        paths.put(part, path + name);
        fields.put(name, maybe(value(part, said)));
        from++;
      }
      if (random.nextBoolean()) fields.put("x" + names++, maybe(other()));
    }
    return record(fields);
  }

  private Value record(Map<String, Value> values) {
    List<Schema.Field> fields = new ArrayList<>();
    values.forEach((name, value) -> fields.add(new Schema.Field(name, value.schema)));
    Schema schema = Schema.createRecord("R" + names++, null, "people", false, fields);
    GenericData.Record record = new GenericData.Record(schema);
    values.forEach((name, value) -> record.put(name, value.datum));
    return new Value(schema, record);
  }

  private Value map(String path, Part part, Map<Part, String> paths, Map<Part, Object> said) {
    Map<String, String> entries = new HashMap<>();
    String text = text();
    entries.put("before", "other");
    entries.put("wanted", text);
    entries.put("", "other");
    paths.put(part, path + "wanted");
    said.put(part, text);
    return new Value(SchemaBuilder.map().values().stringType(), entries);
  }

  /** Returns a list that has the value of a part among other values of the same type. */
  private Value list(String path, Part part, Map<Part, String> paths, Map<Part, Object> said) {
    Value wanted = value(part, said);
    int index = random.nextInt(3);
    List<Object> elements = new ArrayList<>(Collections.nCopies(index, wanted.datum));
    for (int i = random.nextInt(3); i >= 0; i--) elements.add(wanted.datum);
    if (wanted.schema.getType() == Schema.Type.STRING) {
      elements.replaceAll(element -> "other");
      elements.set(index, wanted.datum);
    }
    paths.put(part, path + "[" + index + "]");
    return new Value(Schema.createArray(wanted.schema), elements);
  }

  /** Returns the value as it is, or in a union with null before or after it. */
  private Value maybe(Value value) {
    Schema none = Schema.create(Schema.Type.NULL);
    return switch (random.nextInt(3)) {
      case 0 -> new Value(Schema.createUnion(none, value.schema), value.datum);
      case 1 -> new Value(Schema.createUnion(value.schema, none), value.datum);
      default -> value;
    };
  }

  private static boolean isText(Part part) {
    return part != Part.TIME && part != Part.COST;
  }

  private Value value(Part part, Map<Part, Object> said) {
    return switch (part) {
      case TIME -> time(said);
      case COST -> cost(said);
      default -> id(part, said);
    };
  }

  private Value cost(Map<Part, Object> said) {
    int cost = random.nextInt(1_000);
    long number = cost;
    return switch (random.nextInt(5)) {
      case 0 -> said(Part.COST, number, said, Schema.create(Schema.Type.INT), cost);
      case 1 -> said(Part.COST, number, said, Schema.create(Schema.Type.LONG), number);
      case 2 -> said(Part.COST, number, said, Schema.create(Schema.Type.FLOAT), (float) cost);
      case 3 -> said(Part.COST, number, said, Schema.create(Schema.Type.DOUBLE), (double) cost);
      default -> {
        String text = Integer.toString(cost);
        yield said(Part.COST, text, said, Schema.create(Schema.Type.STRING), text);
      }
    };
  }

  private Value time(Map<Part, Object> said) {
    long ms = random.nextLong(4_000_000_000_000L);
    return switch (random.nextInt(8)) {
      case 0 -> said(Part.TIME, ms, said, Schema.create(Schema.Type.LONG), ms);
      case 1 -> timestamp("timestamp-millis", ms, 1, said);
      case 2 -> timestamp("timestamp-micros", ms * 1_000 + random.nextInt(1_000), 1_000, said);
      case 3 ->
          timestamp("timestamp-nanos", ms * 1_000_000 + random.nextInt(1_000_000), 1_000_000, said);
      case 4 -> timestamp("local-timestamp-millis", ms, 1, said);
      case 5 ->
          timestamp("local-timestamp-micros", ms * 1_000 + random.nextInt(1_000), 1_000, said);
      case 6 -> said(Part.TIME, ms + 0.5, said);
      default -> {
        String text = Instant.ofEpochMilli(ms).toString();
        yield said(Part.TIME, text, said, Schema.create(Schema.Type.STRING), text);
      }
    };
  }

  private static Value timestamp(
      String logicalType, long number, long perMilli, Map<Part, Object> said) {
    boolean isLocal = logicalType.startsWith("local-");
    Object time = new Values.Timestamp(number, perMilli, isLocal);
    return said(Part.TIME, time, said, logical(logicalType), number);
  }

  private static Schema logical(String name) {
    Schema schema = Schema.create(Schema.Type.LONG);
    schema.addProp("logicalType", name);
    return schema;
  }

  private Value id(Part part, Map<Part, Object> said) {
    long number = random.nextLong() >> random.nextInt(64);
    int small = (int) number;
    return switch (random.nextInt(8)) {
      case 0 -> said(part, number, said, Schema.create(Schema.Type.LONG), number);
      case 1 -> said(part, (long) small, said, Schema.create(Schema.Type.INT), small);
      case 2 -> enumeration(part, said);
      case 3 -> uuid(part, said);
      case 4 -> {
        boolean truth = random.nextBoolean();
        yield said(part, truth, said, Schema.create(Schema.Type.BOOLEAN), truth);
      }
      case 5 -> said(part, (long) small, said, Schema.create(Schema.Type.DOUBLE), (double) small);
      case 6 -> said(part, (small >> 12) + 0.5, said);
      default -> {
        String text = text();
        yield said(part, text, said, Schema.create(Schema.Type.STRING), text);
      }
    };
  }

  /** Returns a number that ends with a half, as a double. */
  private static Value said(Part part, double half, Map<Part, Object> said) {
    String digits = BigDecimal.valueOf(half).toPlainString();
    return said(
        part, new Values.Decimal(digits, true), said, Schema.create(Schema.Type.DOUBLE), half);
  }

  private Value enumeration(Part part, Map<Part, Object> said) {
    Schema schema = Schema.createEnum("E" + names++, null, "", List.of("REPLY", "POST", "SMS"));
    String symbol = schema.getEnumSymbols().get(random.nextInt(3));
    return said(part, symbol, said, schema, new GenericData.EnumSymbol(schema, symbol));
  }

  private Value uuid(Part part, Map<Part, Object> said) {
    UUID uuid = new UUID(random.nextLong(), random.nextLong());
    Schema schema = Schema.createFixed("U" + names++, null, "", 16);
    schema.addProp("logicalType", "uuid");
    byte[] bytes =
        ByteBuffer.allocate(16)
            .putLong(uuid.getMostSignificantBits())
            .putLong(uuid.getLeastSignificantBits())
            .array();
    return said(part, uuid.toString(), said, schema, new GenericData.Fixed(schema, bytes));
  }

  private static Value said(
      Part part, Object value, Map<Part, Object> said, Schema schema, Object datum) {
    said.put(part, value);
    return new Value(schema, datum);
  }

  /** Returns a value that metering does not need. */
  private Value other() {
    return switch (random.nextInt(5)) {
      case 0 -> new Value(Schema.create(Schema.Type.BYTES), ByteBuffer.wrap(new byte[] {-1, 0}));
      case 1 -> new Value(Schema.create(Schema.Type.DOUBLE), random.nextDouble());
      case 2 -> new Value(Schema.create(Schema.Type.BOOLEAN), random.nextBoolean());
      case 3 -> new Value(SchemaBuilder.array().items().longType(), List.of(1L, -2L, 3L));
      default -> new Value(SchemaBuilder.map().values().stringType(), Map.of("userId", "nobody"));
    };
  }

  /** Returns a text of 1 to 20 code points of 1 to 4 bytes, never with half of a surrogate pair. */
  private String text() {
    StringBuilder text = new StringBuilder();
    for (int left = 1 + random.nextInt(20); left > 0; left--) {
      text.appendCodePoint(random.nextInt(4) == 0 ? random.nextInt(0xe000, 0x110000) : 'a');
    }
    return text.toString();
  }

  private static byte[] encoded(Value record) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
      new GenericDatumWriter<>(record.schema).write(record.datum, encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}

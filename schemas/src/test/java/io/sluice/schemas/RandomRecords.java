package io.sluice.schemas;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
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

  /** Record, the paths of its fields, and their values: texts or numbers. */
  record Sample(Schema schema, FieldPaths paths, byte[] body, Map<Role, Object> said) {
    RecordReader reader() {
      return RecordReader.parse(schema.toString(), paths);
    }
  }

  private record Value(Schema schema, Object datum) {}

  Sample next() {
    Map<Role, String> paths = new EnumMap<>(Role.class);
    Map<Role, Object> said = new EnumMap<>(Role.class);
    List<Role> left = new ArrayList<>(List.of(Role.values()));
    left.remove(Role.ATTRIBUTES);
    Collections.shuffle(left, new Random(random.nextLong()));
    Value whole = record("", left, paths, said);
    return new Sample(whole.schema, FieldPaths.of(paths), encoded(whole), said);
  }

  /** Returns a record that has all of these roles, directly or in nested records and maps. */
  private Value record(
      String path, List<Role> roles, Map<Role, String> paths, Map<Role, Object> said) {
    Map<String, Value> fields = new LinkedHashMap<>();
    for (int from = 0; from < roles.size(); ) {
      int to = Math.min(roles.size(), from + 1 + random.nextInt(2));
      List<Role> some = roles.subList(from, to);
      String name = "f" + names++;
      if (random.nextInt(3) == 0 && path.length() < 8) {
        fields.put(name, maybe(record(path + name + ".", some, paths, said)));
        from = to;
      } else if (random.nextInt(8) == 0 && isText(some.get(0))) {
        fields.put(name, maybe(map(path + name + ".", some.get(0), paths, said)));
        from++;
      } else {
        Role role = some.get(0);
        paths.put(role, path + name);
        fields.put(name, maybe(value(role, said)));
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

  private Value map(String path, Role role, Map<Role, String> paths, Map<Role, Object> said) {
    Map<String, String> entries = new HashMap<>();
    String text = text();
    entries.put("before", "other");
    entries.put("wanted", text);
    entries.put("", "other");
    paths.put(role, path + "wanted");
    said.put(role, text);
    return new Value(SchemaBuilder.map().values().stringType(), entries);
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

  private static boolean isText(Role role) {
    return role != Role.TIME && role != Role.COST;
  }

  private Value value(Role role, Map<Role, Object> said) {
    return switch (role) {
      case TIME -> time(said);
      case COST -> {
        int cost = random.nextInt(1_000);
        said.put(role, (long) cost);
        yield random.nextBoolean()
            ? new Value(Schema.create(Schema.Type.INT), cost)
            : new Value(Schema.create(Schema.Type.LONG), (long) cost);
      }
      default -> id(role, said);
    };
  }

  private Value time(Map<Role, Object> said) {
    long ms = random.nextLong(4_000_000_000_000L);
    said.put(Role.TIME, ms);
    return switch (random.nextInt(5)) {
      case 0 -> new Value(Schema.create(Schema.Type.LONG), ms);
      case 1 -> new Value(logical("timestamp-millis"), ms);
      case 2 -> new Value(logical("timestamp-micros"), ms * 1_000 + random.nextInt(1_000));
      case 3 -> new Value(logical("timestamp-nanos"), ms * 1_000_000 + random.nextInt(1_000_000));
      default -> new Value(Schema.create(Schema.Type.STRING), Instant.ofEpochMilli(ms).toString());
    };
  }

  private static Schema logical(String name) {
    Schema schema = Schema.create(Schema.Type.LONG);
    schema.addProp("logicalType", name);
    return schema;
  }

  private Value id(Role role, Map<Role, Object> said) {
    long number = random.nextLong() >> random.nextInt(64);
    return switch (random.nextInt(5)) {
      case 0 -> said(role, Long.toString(number), said, Schema.create(Schema.Type.LONG), number);
      case 1 ->
          said(
              role,
              Integer.toString((int) number),
              said,
              Schema.create(Schema.Type.INT),
              (int) number);
      case 2 -> enumeration(role, said);
      case 3 -> uuid(role, said);
      default -> {
        String text = text();
        yield said(role, text, said, Schema.create(Schema.Type.STRING), text);
      }
    };
  }

  private Value enumeration(Role role, Map<Role, Object> said) {
    Schema schema = Schema.createEnum("E" + names++, null, "", List.of("REPLY", "POST", "SMS"));
    String symbol = schema.getEnumSymbols().get(random.nextInt(3));
    return said(role, symbol, said, schema, new GenericData.EnumSymbol(schema, symbol));
  }

  private Value uuid(Role role, Map<Role, Object> said) {
    UUID uuid = new UUID(random.nextLong(), random.nextLong());
    Schema schema = Schema.createFixed("U" + names++, null, "", 16);
    schema.addProp("logicalType", "uuid");
    byte[] bytes =
        ByteBuffer.allocate(16)
            .putLong(uuid.getMostSignificantBits())
            .putLong(uuid.getLeastSignificantBits())
            .array();
    return said(role, uuid.toString(), said, schema, new GenericData.Fixed(schema, bytes));
  }

  private static Value said(
      Role role, String text, Map<Role, Object> said, Schema schema, Object datum) {
    said.put(role, text);
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

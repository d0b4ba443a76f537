package io.sluice.schemas;

import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.avro.Schema;

/** Reads the values of scalar Avro types. */
final class Scalar {
  private static final String LOGICAL_TYPE = "logicalType";
  private static final Set<Schema.Type> IDS =
      EnumSet.of(
          Schema.Type.STRING,
          Schema.Type.ENUM,
          Schema.Type.INT,
          Schema.Type.LONG,
          Schema.Type.BOOLEAN,
          Schema.Type.FLOAT,
          Schema.Type.DOUBLE);
  private static final int UUID_BYTES = 16;

  /** Number of units in a millisecond, by the name of a logical type or of a type of Debezium. */
  private static final Map<String, Unit> UNITS =
      Map.of(
          "timestamp-millis", new Unit(1, false),
          "timestamp-micros", new Unit(1_000, false),
          "timestamp-nanos", new Unit(1_000_000, false),
          "local-timestamp-millis", new Unit(1, true),
          "local-timestamp-micros", new Unit(1_000, true),
          "local-timestamp-nanos", new Unit(1_000_000, true),
          "io.debezium.time.Timestamp", new Unit(1, false),
          "io.debezium.time.MicroTimestamp", new Unit(1_000, false),
          "io.debezium.time.NanoTimestamp", new Unit(1_000_000, false));

  /** Unit of a number that is a date or a time of day, which no instant can be made of. */
  private static final Unit NO_TIME = new Unit(0, false);

  private static final Pattern TIME_LIKE =
      Pattern.compile("^(date|time-)|^io\\.debezium\\.time\\.");

  private record Unit(long perMilli, boolean isLocal) {}

  private Scalar() {}

  /** Whether a value of this schema can be read: text, a number, a truth value, enum or uuid. */
  static boolean isText(Schema schema) {
    return IDS.contains(schema.getType()) || isUuid(schema);
  }

  private static boolean isUuid(Schema schema) {
    return schema.getType() == Schema.Type.FIXED
        && schema.getFixedSize() == UUID_BYTES
        && "uuid".equals(logicalType(schema));
  }

  /**
   * Returns the name of a schema's logical type, even if this version of Avro does not know the
   * type; empty if the schema has none.
   */
  static String logicalType(Schema schema) {
    String name = schema.getProp(LOGICAL_TYPE);
    return name == null ? "" : name;
  }

  /** Returns the name of the type that says the unit of a time; empty if there is none. */
  static String timeType(Schema schema) {
    String logical = logicalType(schema);
    String debezium = schema.getProp("connect.name");
    return logical.isEmpty() && debezium != null ? debezium : logical;
  }

  /** Whether a number of this schema is a time whose unit the schema says. */
  static boolean saysUnit(Schema schema) {
    return unit(schema).isPresent();
  }

  private static Optional<Unit> unit(Schema schema) {
    return Optional.ofNullable(UNITS.get(timeType(schema)));
  }

  /** Returns a function-like reader of values of this schema, for which {@link #isText} is true. */
  static Reading reading(Schema schema) {
    return switch (schema.getType()) {
      case STRING -> BodyCursor::readString;
      case ENUM -> (cursor, field) -> symbol(schema, cursor, field);
      case INT, LONG -> number(schema);
      case BOOLEAN -> (cursor, field) -> cursor.readFixed(field, 1) != 0;
      case FLOAT ->
          (cursor, field) ->
              Values.number(
                  Float.toString(Float.intBitsToFloat((int) cursor.readFixed(field, Float.BYTES))));
      case DOUBLE ->
          (cursor, field) ->
              Values.number(
                  Double.toString(Double.longBitsToDouble(cursor.readFixed(field, Double.BYTES))));
      case FIXED -> Scalar::uuid;
      default -> throw new IllegalArgumentException("a " + schema.getType() + " has no text");
    };
  }

  private static Reading number(Schema schema) {
    Optional<Unit> unit = unit(schema);
    String type = timeType(schema);
    boolean isPlain = type.isEmpty() || !TIME_LIKE.matcher(type).find();
    if (unit.isEmpty() && isPlain) return BodyCursor::readLong;
    Unit known = unit.orElse(NO_TIME);
    return (cursor, field) ->
        new Values.Timestamp(cursor.readLong(field), known.perMilli, known.isLocal);
  }

  /** Reads a value as text; its schema must be one for which {@link #isText} is true. */
  static String text(Schema schema, BodyCursor cursor, String field) {
    return reading(schema).value(cursor, field).toString();
  }

  private static String symbol(Schema schema, BodyCursor cursor, String field) {
    int symbols = schema.getEnumSymbols().size();
    return schema.getEnumSymbols().get(cursor.readIndex(field, symbols));
  }

  private static String uuid(BodyCursor cursor, String field) {
    long most = Long.reverseBytes(cursor.readFixed(field, Long.BYTES));
    long least = Long.reverseBytes(cursor.readFixed(field, Long.BYTES));
    return new UUID(most, least).toString();
  }

  /** Reads one value of a scalar type; see {@link Values} for the classes of values. */
  interface Reading {
    Object value(BodyCursor cursor, String field);
  }
}

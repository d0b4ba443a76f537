package io.sluice.schemas;

import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import org.apache.avro.Schema;

/** Reads the values of scalar Avro types as text. */
final class Scalar {
  private static final String LOGICAL_TYPE = "logicalType";
  private static final Set<Schema.Type> IDS =
      EnumSet.of(Schema.Type.STRING, Schema.Type.ENUM, Schema.Type.INT, Schema.Type.LONG);
  private static final Set<Schema.Type> OTHERS =
      EnumSet.of(Schema.Type.BOOLEAN, Schema.Type.FLOAT, Schema.Type.DOUBLE);
  private static final int UUID_BYTES = 16;

  private Scalar() {}

  /** Whether a value of this schema can be an id: a string, a whole number, an enum or a uuid. */
  static boolean isId(Schema schema) {
    return IDS.contains(schema.getType()) || isUuid(schema);
  }

  /** Whether a value of this schema can be read as text. */
  static boolean isText(Schema schema) {
    return isId(schema) || OTHERS.contains(schema.getType());
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

  /** Reads a value as text; its schema must be one for which {@link #isText} is true. */
  static String text(Schema schema, BodyCursor cursor, String field) {
    return switch (schema.getType()) {
      case STRING -> cursor.readString(field);
      case ENUM -> symbol(schema, cursor, field);
      case INT, LONG -> Long.toString(cursor.readLong(field));
      case BOOLEAN -> Boolean.toString(cursor.readFixed(field, 1) != 0);
      case FLOAT ->
          Float.toString(Float.intBitsToFloat((int) cursor.readFixed(field, Float.BYTES)));
      case DOUBLE ->
          Double.toString(Double.longBitsToDouble(cursor.readFixed(field, Double.BYTES)));
      case FIXED -> uuid(cursor, field);
      default -> throw new IllegalArgumentException("a " + schema.getType() + " has no text");
    };
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
}

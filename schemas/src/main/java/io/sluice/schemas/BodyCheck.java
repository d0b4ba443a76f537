package io.sluice.schemas;

import org.apache.avro.Schema;

/**
 * Checks that a body (the bytes of a record in Avro's binary encoding) matches its writer schema to
 * the last byte, so that Avro's own reader can read it safely. The check allocates very little, and
 * takes time in proportion to the size of the body, regardless of the lengths and counts in it.
 */
final class BodyCheck {
  /**
   * Deepest nesting of a value. A schema can refer to itself, and a body with deeper nesting would
   * exhaust the stack.
   */
  private static final int MAX_DEPTH = 64;

  private final BodyCursor cursor;

  private BodyCheck(BodyCursor cursor) {
    this.cursor = cursor;
  }

  static void check(Schema schema, BodyCursor cursor) {
    new BodyCheck(cursor).skip(schema, schema.getName(), 0);
    cursor.requireEnd();
  }

  /** Checks one value, and moves the cursor to the first byte after the value. */
  static void pass(Schema schema, String field, BodyCursor cursor) {
    new BodyCheck(cursor).skip(schema, field, 0);
  }

  private void skip(Schema schema, String field, int depth) {
    if (depth > MAX_DEPTH) {
      throw new UndecodableException(field + ": nested more than " + MAX_DEPTH + " deep");
    }
    switch (schema.getType()) {
      case NULL -> {}
      case BOOLEAN -> cursor.skip(field, 1);
      case INT, LONG -> cursor.readLong(field);
      case FLOAT -> cursor.skip(field, Float.BYTES);
      case DOUBLE -> cursor.skip(field, Double.BYTES);
      case FIXED -> cursor.skip(field, schema.getFixedSize());
      case BYTES -> cursor.skip(field, cursor.readLength(field));
      case STRING -> cursor.skipString(field);
      case ENUM -> cursor.readIndex(field, schema.getEnumSymbols().size());
      case UNION -> skipUnion(schema, field, depth);
      case ARRAY -> skipArray(schema, field, depth);
      case MAP -> skipMap(schema, field, depth);
      case RECORD -> skipRecord(schema, depth);
    }
  }

  private void skipUnion(Schema schema, String field, int depth) {
    int branch = cursor.readIndex(field, schema.getTypes().size());
    skip(schema.getTypes().get(branch), field, depth + 1);
  }

  private void skipArray(Schema schema, String field, int depth) {
    Blocks items = new Blocks(cursor, field);
    while (items.next()) {
      skip(schema.getElementType(), field, depth + 1);
    }
  }

  private void skipMap(Schema schema, String field, int depth) {
    Blocks entries = new Blocks(cursor, field);
    while (entries.next()) {
      cursor.skipString(field);
      skip(schema.getValueType(), field, depth + 1);
    }
  }

  private void skipRecord(Schema schema, int depth) {
    for (Schema.Field field : schema.getFields()) {
      skip(field.schema(), field.name(), depth + 1);
    }
  }
}

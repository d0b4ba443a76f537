package io.sluice.schemas;

import java.nio.charset.StandardCharsets;
import org.apache.avro.Schema;

/** Finds an attribute of an event by its name, in an Avro map or record that was checked before. */
final class AttributeScan {
  private static final String FIELD = "attributes";

  private AttributeScan() {}

  /**
   * Returns the value of the attribute with this name as text; empty if there is no such attribute,
   * or if its type has no text.
   */
  static String find(String name, Schema schema, BodyCursor cursor) {
    return switch (schema.getType()) {
      case MAP -> inMap(name, schema.getValueType(), cursor);
      case RECORD -> inRecord(name, schema, cursor);
      default -> "";
    };
  }

  private static String inMap(String name, Schema values, BodyCursor cursor) {
    byte[] wanted = name.getBytes(StandardCharsets.UTF_8);
    Blocks entries = new Blocks(cursor, FIELD);
    String found = "";
    while (entries.next()) {
      if (cursor.skipsString(FIELD, wanted)) found = text(values, cursor);
      else BodyCheck.pass(values, FIELD, cursor);
    }
    return found;
  }

  private static String inRecord(String name, Schema record, BodyCursor cursor) {
    for (Schema.Field field : record.getFields()) {
      if (field.name().equals(name)) return text(field.schema(), cursor);
      BodyCheck.pass(field.schema(), field.name(), cursor);
    }
    return "";
  }

  private static String text(Schema schema, BodyCursor cursor) {
    Schema value = schema;
    if (schema.isUnion()) {
      value = schema.getTypes().get(cursor.readIndex(FIELD, schema.getTypes().size()));
    }
    if (Scalar.isText(value)) return Scalar.text(value, cursor, FIELD);
    BodyCheck.pass(value, FIELD, cursor);
    return "";
  }
}

package io.sluice.topology;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a schema registry answers: a schema, or an error.
 *
 * @param schema the schema's text; empty if this is none
 * @param type what kind of schema; empty stands for Avro
 * @param errorCode 0 if it is none
 * @param message the error's; empty if it is none
 */
record SchemaReply(
    String schema, String type, List<Reference> references, int errorCode, String message) {
  private static final int UNKNOWN_SCHEMA = 40_403;
  private static final int UNKNOWN_SUBJECT = 40_401;
  private static final int UNKNOWN_VERSION = 40_402;
  private static final JsonFactory JSON = new JsonFactory();

  /** Another schema that this one uses. */
  record Reference(String name, String subject, int version) {}

  boolean hasSchema() {
    return !schema.isEmpty();
  }

  boolean isAvro() {
    return type.isEmpty() || type.equals("AVRO");
  }

  boolean saysUnknown() {
    return errorCode == UNKNOWN_SCHEMA
        || errorCode == UNKNOWN_SUBJECT
        || errorCode == UNKNOWN_VERSION;
  }

  /** Whatever it is, it is an answer: one that says nothing if it is not JSON. */
  static SchemaReply parse(byte[] body) {
    Fields read = new Fields();
    try (JsonParser parser = JSON.createParser(body)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) read.all(parser);
    } catch (IOException e) {
      read = new Fields();
    }
    return new SchemaReply(
        read.schema, read.type, List.copyOf(read.references), read.errorCode, read.message);
  }

  private static final class Fields {
    private String schema = "";
    private String type = "";
    private final List<Reference> references = new ArrayList<>();
    private int errorCode;
    private String message = "";

    void all(JsonParser parser) throws IOException {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        switch (name) {
          case "schema" -> schema = parser.getValueAsString("");
          case "schemaType" -> type = parser.getValueAsString("");
          case "error_code" -> errorCode = parser.getValueAsInt();
          case "message" -> message = parser.getValueAsString("").replaceAll("\\s+", " ");
          case "references" -> {
            if (value == JsonToken.START_ARRAY) readReferences(parser);
          }
          default -> {}
        }
        parser.skipChildren();
      }
    }

    private void readReferences(JsonParser parser) throws IOException {
      while (parser.nextToken() == JsonToken.START_OBJECT) {
        String name = "";
        String subject = "";
        int version = 0;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
          String field = parser.currentName();
          parser.nextToken();
          switch (field) {
            case "name" -> name = parser.getValueAsString("");
            case "subject" -> subject = parser.getValueAsString("");
            case "version" -> version = parser.getValueAsInt();
            default -> parser.skipChildren();
          }
        }
        references.add(new Reference(name, subject, version));
      }
    }
  }
}

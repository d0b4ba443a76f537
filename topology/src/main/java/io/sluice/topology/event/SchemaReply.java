package io.sluice.topology.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Parsed answer of a schema registry: a schema, or an error.
 *
 * @param schema text of the schema; empty if the answer has none
 * @param type type of the schema; empty means Avro
 * @param references other schemas that the schema uses
 * @param errorCode error code of the registry; 0 if there is none
 * @param message error message of the registry; empty if there is none
 */
record SchemaReply(
    String schema, String type, List<Reference> references, int errorCode, String message) {
  /**
   * HTTP statuses of errors about the requested schema: the schema is unknown, the user may not
   * read it, or it is invalid.
   */
  private static final Set<Integer> OF_WHAT_WAS_ASKED = Set.of(404, 403, 422);

  private static final JsonFactory JSON = new JsonFactory();

  /** Reference of a schema to another schema that it uses. */
  record Reference(String name, String subject, int version) {}

  boolean hasSchema() {
    return !schema.isEmpty();
  }

  boolean isAvro() {
    return type.isEmpty() || type.equals("AVRO");
  }

  /**
   * Returns whether a schema registry refuses the requested schema. Its error code then consists of
   * the HTTP status and two more digits, such as 40403. A status 404 without such an error code
   * only says that the URL's path is unknown, as any other HTTP server would.
   */
  boolean isAboutWhatWasAsked(int status) {
    return OF_WHAT_WAS_ASKED.contains(status) && errorCode / 100 == status && errorCode % 100 != 0;
  }

  /** Parses an answer; the result for an answer that is not JSON has no schema and no error. */
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

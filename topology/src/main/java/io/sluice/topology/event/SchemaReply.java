package io.sluice.topology.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Answer of a schema registry: a schema, or an error.
 *
 * @param schema text of the schema; empty if the answer has none
 * @param type type of the schema; empty stands for Avro
 * @param errorCode code of the error; 0 if there is none
 * @param message message of the error; empty if there is none
 */
record SchemaReply(
    String schema, String type, List<Reference> references, int errorCode, String message) {
  /**
   * Statuses of an error about the schema: it is unknown, the user may not read it, or it is
   * invalid.
   */
  private static final Set<Integer> OF_WHAT_WAS_ASKED = Set.of(404, 403, 422);

  private static final JsonFactory JSON = new JsonFactory();

  /** Another schema that this schema uses. */
  record Reference(String name, String subject, int version) {}

  boolean hasSchema() {
    return !schema.isEmpty();
  }

  boolean isAvro() {
    return type.isEmpty() || type.equals("AVRO");
  }

  /**
   * Returns whether the registry refuses to give this schema. Then its error code has two digits
   * more than the HTTP status, such as 40403. A plain 404 says that the path is unknown, as any
   * other server at that address would.
   */
  boolean isAboutWhatWasAsked(int status) {
    return OF_WHAT_WAS_ASKED.contains(status) && errorCode / 100 == status && errorCode % 100 != 0;
  }

  /** Parses an answer; one that is not JSON has neither schema nor error. */
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

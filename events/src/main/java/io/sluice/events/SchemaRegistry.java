package io.sluice.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.limiter.PlainText;
import io.sluice.rules.event.Keys;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * HTTP client of a schema registry. It uses the HTTP interface of Confluent's Schema Registry,
 * which other registries offer too. Safe for many threads.
 */
final class SchemaRegistry implements RegisteredSchemas.Registry {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final String ACCEPTED = "application/vnd.schemaregistry.v1+json, application/json";
  private static final int OK = 200;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int REQUEST_TIMEOUT = 408;
  private static final int TOO_EARLY = 425;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVER_ERROR = 500;
  private static final int MOST_REFERENCES = 100;

  private final HttpClient http;
  private final Duration timeout;
  private final String url;
  private final String authorization;

  /**
   * @param url URL of the schema registry without a slash at its end
   * @param user login at the schema registry; empty if the registry needs none
   */
  SchemaRegistry(String url, String user, String password) {
    this(url, user, password, TIMEOUT);
  }

  /**
   * @param timeout longest time to open a connection, and longest time of a request
   */
  SchemaRegistry(String url, String user, String password, Duration timeout) {
    this.url = url;
    this.timeout = timeout;
    http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(timeout)
            .build();
    authorization =
        user.isEmpty()
            ? ""
            : "Basic "
                + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
  }

  @Override
  public SchemaDefinition schema(SchemaId id) throws UnreadableEventException {
    String what = "schema " + id;
    SchemaReply reply = reply(id, what);
    SchemaDefinition.Type type =
        reply
            .definedType()
            .orElseThrow(
                () ->
                    new UnreadableEventException(
                        what
                            + " is "
                            + PlainText.of(reply.type())
                            + ", not Avro, JSON or Protobuf"));
    Map<String, SchemaDefinition.Import> definitions = new LinkedHashMap<>();
    if (type != SchemaDefinition.Type.JSON) { // a JSON schema is not evaluated
      for (SchemaReply.Reference each : reply.references()) follow(each, what, definitions, 0);
    }
    return new SchemaDefinition(type, reply.schema(), List.copyOf(definitions.values()));
  }

  /**
   * Returns the registry's answer to a request for a schema. A registry that does not understand
   * GUIDs or long numbers answers as if its URL were wrong. Any producer can send such an id, so it
   * is requested whether the registry understands a common id.
   */
  private SchemaReply reply(SchemaId id, String what) throws UnreadableEventException {
    try {
      return get(id.path(), what);
    } catch (SchemasUnavailableException e) {
      if (id.isCommon() || !e.isLasting() || !answersLikeARegistry()) throw e;
      throw new UnreadableEventException(
          "the schema registry at " + url + " has no schemas with such ids: " + id);
    }
  }

  private boolean answersLikeARegistry() {
    try {
      get(SchemaId.of(1).path(), "schema 1");
    } catch (UnreadableEventException e) {
      return true; // it says that it does not have this schema
    } catch (SchemasUnavailableException e) {
      if (!e.isLasting()) throw e;
      return false;
    }
    return true;
  }

  /**
   * Fetches a referenced schema and, before it, all schemas that it refers to.
   *
   * @param definitions receives the definitions by their URL paths; a definition is fetched once,
   *     even if several schemas refer to it
   */
  private void follow(
      SchemaReply.Reference to,
      String from,
      Map<String, SchemaDefinition.Import> definitions,
      int depth)
      throws UnreadableEventException {
    String path =
        "/subjects/"
            + URLEncoder.encode(to.subject(), UTF_8).replace("+", "%20")
            + "/versions/"
            + to.version();
    if (definitions.containsKey(path)) return;
    if (depth + definitions.size() > MOST_REFERENCES) {
      throw new UnreadableEventException(from + " has too many references to other schemas");
    }
    SchemaReply reply = get(path, from + "'s reference to " + PlainText.of(to.name()));
    for (SchemaReply.Reference each : reply.references()) {
      follow(each, from, definitions, depth + 1);
    }
    definitions.put(path, new SchemaDefinition.Import(to.name(), reply.schema()));
  }

  private SchemaReply get(String path, String what) throws UnreadableEventException {
    HttpResponse<byte[]> response = send(path);
    int status = response.statusCode();
    SchemaReply reply = SchemaReply.parse(response.body());
    if (status == OK && reply.hasSchema()) return reply;
    if (reply.isAboutWhatWasAsked(status)) {
      throw new UnreadableEventException(
          status == NOT_FOUND
              ? what + " is unknown to the schema registry at " + url
              : "the schema registry at " + url + " does not give " + what + note(reply));
    }
    String answer = "the schema registry at " + url + " answered " + status;
    if (mayPass(status)) throw new SchemasUnavailableException(answer + note(reply));
    throw SchemasUnavailableException.misconfigured(answer + advice(status, reply));
  }

  private static boolean mayPass(int status) {
    return status >= SERVER_ERROR
        || status == REQUEST_TIMEOUT
        || status == TOO_EARLY
        || status == TOO_MANY_REQUESTS;
  }

  private String advice(int status, SchemaReply reply) {
    if (status == UNAUTHORIZED || status == FORBIDDEN) {
      return authorization.isEmpty()
          ? ": it needs " + Keys.SCHEMAS_USER + " and .password"
          : ": it does not accept " + Keys.SCHEMAS_USER + " and .password";
    }
    return note(reply) + ", but not like a schema registry; check " + Keys.SCHEMAS_URL;
  }

  private static String note(SchemaReply reply) {
    return reply.message().isEmpty() ? "" : ": " + PlainText.message(reply.message());
  }

  private HttpResponse<byte[]> send(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path)).timeout(timeout).header("Accept", ACCEPTED);
    if (!authorization.isEmpty()) request.header("Authorization", authorization);
    try {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new SchemasUnavailableException(
          "the schema registry at " + url + " cannot be reached: " + oneLine(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SchemasUnavailableException("interrupted while asking the schema registry", e);
    }
  }

  private static String oneLine(IOException e) {
    // The JDK's exception for a refused connection has no message.
    String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return PlainText.message(message);
  }

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

    /** Returns the type of the schema; empty if it is unknown. */
    Optional<SchemaDefinition.Type> definedType() {
      if (type.isEmpty()) return Optional.of(SchemaDefinition.Type.AVRO);
      return Arrays.stream(SchemaDefinition.Type.values())
          .filter(each -> each.name().equals(type))
          .findFirst();
    }

    /**
     * Returns whether a schema registry refuses the requested schema. Its error code then consists
     * of the HTTP status and two more digits, such as 40403. A status 404 without such an error
     * code only says that the URL's path is unknown, as any other HTTP server would.
     */
    boolean isAboutWhatWasAsked(int status) {
      return OF_WHAT_WAS_ASKED.contains(status)
          && errorCode / 100 == status
          && errorCode % 100 != 0;
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
}

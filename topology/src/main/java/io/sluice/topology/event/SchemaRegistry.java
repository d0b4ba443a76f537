package io.sluice.topology.event;

import static java.nio.charset.StandardCharsets.UTF_8;

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
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

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
  public List<String> schema(int id) throws UnreadableEventException {
    String what = "schema " + id;
    SchemaReply reply = get("/schemas/ids/" + id, what);
    if (!reply.isAvro()) {
      throw new UnreadableEventException(what + " is " + PlainText.of(reply.type()) + ", not Avro");
    }
    Map<String, String> definitions = new LinkedHashMap<>();
    for (SchemaReply.Reference each : reply.references()) follow(each, what, definitions, 0);
    List<String> all = new ArrayList<>(new LinkedHashSet<>(definitions.values()));
    all.add(reply.schema());
    return all;
  }

  /**
   * Fetches a referenced schema and, before it, all schemas that it refers to.
   *
   * @param definitions receives the definitions by their URL paths; a definition is fetched once,
   *     even if several schemas refer to it
   */
  private void follow(
      SchemaReply.Reference to, String from, Map<String, String> definitions, int depth)
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
    definitions.put(path, reply.schema());
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
}

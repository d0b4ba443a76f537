package io.sluice.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Schema registry over HTTP that answers like Confluent's, and can be made to fail. */
public final class TestRegistry implements AutoCloseable {
  private static final String SCHEMAS = "/schemas/ids/";
  private static final String GUIDS = "/schemas/guids/";
  private static final Pattern VERSION = Pattern.compile("/subjects/([^/]+)/versions/\\d+");

  public final AtomicInteger failures = new AtomicInteger();
  public final List<String> requests = new CopyOnWriteArrayList<>();
  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private final Map<String, Failure> refusals = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;
  private volatile boolean hanging;

  private record Failure(int status, String json) {}

  public TestRegistry() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  /** Returns a registry that requires a login. */
  public static TestRegistry withLogin(String user, String password) throws IOException {
    TestRegistry registry = new TestRegistry();
    registry.server.removeContext("/");
    String login = Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
    registry.server.createContext(
        "/",
        exchange -> {
          String given = exchange.getRequestHeaders().getFirst("Authorization");
          if (("Basic " + login).equals(given)) registry.answer(exchange);
          else send(exchange, 401, error(401, "Unauthorized"));
        });
    return registry;
  }

  public String url() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  /** Adds an Avro schema. */
  public void put(int id, String schema) {
    answers.put(SCHEMAS + id, "{\"schema\":" + quoted(schema) + "}");
  }

  /**
   * Adds a schema of a type.
   *
   * @param type {@code JSON}, {@code PROTOBUF} or {@code AVRO}
   * @param references references to versions of subjects, as {@link #reference} returns them
   */
  public void put(long id, String type, String schema, String... references) {
    answers.put(SCHEMAS + id, json(type, schema, references));
  }

  /** Adds a schema by its GUID. */
  public void put(UUID guid, String type, String schema) {
    answers.put(GUIDS + guid, json(type, schema));
  }

  /** Adds the first version of a subject, to which schemas can refer. */
  public void putSubject(String subject, String type, String schema, String... references) {
    answers.put("/subjects/" + subject + "/versions/1", json(type, schema, references));
  }

  /** Returns a reference to the first version of a subject. */
  public static String reference(String name, String subject) {
    return "{\"name\":%s,\"subject\":%s,\"version\":1}".formatted(quoted(name), quoted(subject));
  }

  /**
   * Returns an answer with a schema. As that of Confluent's registry, it names no type for Avro.
   */
  private static String json(String type, String schema, String... references) {
    String named = type.equals("AVRO") ? "" : "\"schemaType\":" + quoted(type) + ",";
    String referring =
        references.length == 0 ? "" : "\"references\":[" + String.join(",", references) + "],";
    return "{" + named + referring + "\"schema\":" + quoted(schema) + "}";
  }

  /** Sets the answer to a path. */
  public void answer(String path, String json) {
    answers.put(path, json);
  }

  /** Sets an error as the answer to a path. */
  public void refuse(String path, int status, String json) {
    refusals.put(path, new Failure(status, json));
  }

  public static String quoted(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
  }

  /** Accepts requests from now on, and answers none. */
  public void hang() {
    hanging = true;
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().toString();
    requests.add(path);
    if (hanging) awaitClosed();
    if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      send(exchange, 500, "{\"error_code\":50001,\"message\":\"Error in the\\nbackend\"}");
    } else if (refusals.containsKey(path)) {
      send(exchange, refusals.get(path).status(), refusals.get(path).json());
    } else if (answers.containsKey(path)) {
      send(exchange, 200, answers.get(path));
    } else {
      send(exchange, 404, notFound(path));
    }
  }

  /**
   * Returns the error of the registry for an unknown schema, or that of its web server for an
   * unknown path.
   */
  private static String notFound(String path) {
    String id = path.startsWith(SCHEMAS) ? path.substring(SCHEMAS.length()) : "";
    if (isInt(id)) return error(40_403, "Schema " + id + " not found");
    if (path.startsWith(GUIDS)) return error(40_403, "Schema not found");
    Matcher version = VERSION.matcher(path);
    return version.matches()
        ? error(40_401, "Subject '" + version.group(1) + "' not found.")
        : error(404, "HTTP 404 Not Found");
  }

  /** Returns whether Jersey takes the text for an Integer. */
  private static boolean isInt(String text) {
    try {
      Integer.parseInt(text);
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  public static String error(int code, String message) {
    return "{\"error_code\":" + code + ",\"message\":" + quoted(message) + "}";
  }

  private void awaitClosed() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void send(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/vnd.schemaregistry.v1+json");
    exchange.sendResponseHeaders(status, body.length);
    try (var out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}

package io.sluice.guarantees.bed;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.guarantees.scenario.RegisteredSchema;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Fake schema registry with one schema. It answers other requests like a real registry: a 32-bit
 * integer is an unknown schema id, any other text an unknown path.
 */
public final class Registry implements AutoCloseable {
  private static final String PATH = "/schemas/ids/";
  private static final String UNKNOWN = "{\"error_code\":40403,\"message\":\"Schema not found\"}";
  private static final String NO_PATH = "{\"error_code\":404,\"message\":\"HTTP 404 Not Found\"}";
  private static final String FAILING = "{\"error_code\":50001,\"message\":\"Error in the store\"}";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger failures = new AtomicInteger();
  private volatile boolean failing;

  Registry() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Makes all requests fail with status 500, or succeed again. */
  public void fail(boolean fails) {
    failing = fails;
  }

  /** Returns the number of requests that were answered with status 500. */
  public int failures() {
    return failures.get();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (failing) {
      failures.incrementAndGet();
      send(exchange, 500, FAILING);
    } else if (path.equals(PATH + RegisteredSchema.ID)) {
      send(exchange, 200, schema());
    } else {
      send(exchange, 404, mayBeAnId(path) ? UNKNOWN : NO_PATH);
    }
  }

  private static boolean mayBeAnId(String path) {
    if (!path.startsWith(PATH)) return false;
    try {
      Integer.parseInt(path.substring(PATH.length()));
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static String schema() {
    return "{\"schema\":\""
        + RegisteredSchema.text().replace("\\", "\\\\").replace("\"", "\\\"")
        + "\"}";
  }

  private static void send(HttpExchange exchange, int status, String text) throws IOException {
    try (exchange) {
      byte[] body = text.getBytes(UTF_8);
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}

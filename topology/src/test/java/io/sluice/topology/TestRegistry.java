package io.sluice.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A schema registry over HTTP that can be made to fail, as Confluent's answers. */
final class TestRegistry implements AutoCloseable {
  private static final String UNKNOWN = "{\"error_code\":40403,\"message\":\"Schema not found\"}";

  final AtomicInteger failures = new AtomicInteger();
  final List<String> requests = new CopyOnWriteArrayList<>();
  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;
  private volatile boolean hanging;

  TestRegistry() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  /** Only answers who logs in. */
  static TestRegistry withLogin(String user, String password) throws IOException {
    TestRegistry registry = new TestRegistry();
    registry.server.removeContext("/");
    HttpContext context = registry.server.createContext("/", registry::answer);
    context.setAuthenticator(
        new BasicAuthenticator("schemas") {
          @Override
          public boolean checkCredentials(String givenUser, String givenPassword) {
            return user.equals(givenUser) && password.equals(givenPassword);
          }
        });
    return registry;
  }

  String url() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  /** Knows a schema from now on. */
  void put(int id, String schema) {
    answers.put("/schemas/ids/" + id, "{\"schema\":" + quoted(schema) + "}");
  }

  /** Answers a path with this. */
  void answer(String path, String json) {
    answers.put(path, json);
  }

  static String quoted(String text) {
    return "\"" + text.replace("\"", "\\\"").replace("\n", "\\n") + "\"";
  }

  /** Takes requests from now on, and answers none. */
  void hang() {
    hanging = true;
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().toString();
    requests.add(path);
    if (hanging) awaitClosed();
    if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      send(exchange, 500, "{\"error_code\":50001,\"message\":\"Error in the\\nbackend\"}");
    } else if (answers.containsKey(path)) {
      send(exchange, 200, answers.get(path));
    } else {
      send(exchange, 404, path.startsWith("/schemas/ids/") ? UNKNOWN : "<html>who?</html>");
    }
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

package io.sluice.topology.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server of metrics to Prometheus, and health to whoever restarts or replaces instances. */
final class HttpEndpoint implements AutoCloseable {
  private static final String METRICS = "/metrics";
  private static final String LIVE = "/health/live";
  private static final String READY = "/health/ready";
  private static final String PLAIN = "text/plain; charset=utf-8";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
  private static final int THREADS = 4; // so that a slow reader does not keep health from answering

  private final PrometheusMeterRegistry registry;
  private final Health health;
  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(THREADS, HttpEndpoint::thread);

  private HttpEndpoint(HttpServer server, PrometheusMeterRegistry registry, Health health) {
    this.server = server;
    this.registry = registry;
    this.health = health;
  }

  /**
   * Begins to serve.
   *
   * @throws StartException if the address or the port cannot be had
   */
  static HttpEndpoint open(InetSocketAddress at, PrometheusMeterRegistry registry, Health health) {
    try {
      InetAddress host = InetAddress.getByName(at.getHostString());
      HttpServer server = HttpServer.create(new InetSocketAddress(host, at.getPort()), 0);
      HttpEndpoint endpoint = new HttpEndpoint(server, registry, health);
      server.setExecutor(endpoint.threads);
      server.createContext("/", endpoint::answer);
      server.start();
      return endpoint;
    } catch (IOException e) {
      throw new StartException(
          "cannot serve HTTP on "
              + at.getHostString()
              + ":"
              + at.getPort()
              + " (sluice.http.host, sluice.http.port): "
              + e.getMessage(),
          e);
    }
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "sluice-http");
    thread.setDaemon(true);
    return thread;
  }

  /** Where it is served. */
  URI address() {
    InetSocketAddress at = server.getAddress();
    String host = at.getAddress().getHostAddress();
    String literal = host.indexOf(':') < 0 ? host : "[" + host + "]";
    return URI.create("http://" + literal + ":" + at.getPort());
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().matches("GET|HEAD")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        send(exchange, 405, PLAIN, line("only GET"));
        return;
      }
      switch (exchange.getRequestURI().getPath()) {
        case METRICS -> send(exchange, 200, PROMETHEUS, scrape());
        case LIVE -> send(exchange, health.live());
        case READY -> send(exchange, health.ready());
        default ->
            send(exchange, 404, PLAIN, line("there is " + METRICS + ", " + LIVE + " and " + READY));
      }
    }
  }

  private byte[] scrape() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 16);
    registry.scrape(out, PROMETHEUS);
    return out.toByteArray();
  }

  private static void send(HttpExchange exchange, Health.Answer answer) throws IOException {
    send(exchange, answer.well() ? 200 : 503, PLAIN, line(answer.says()));
  }

  private static byte[] line(String text) {
    return (text + "\n").getBytes(UTF_8);
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, head ? -1 : body.length);
    if (!head) exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}

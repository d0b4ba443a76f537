package io.sluice.server.web;

import io.sluice.rules.StartException;
import io.sluice.runtime.monitoring.Monitoring;
import io.sluice.topology.config.HttpConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP server of metrics, health, the API and the page. It serves metrics and health as soon as it
 * is open, and the API when its routes have been set.
 */
public final class WebServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WebServer.class);
  private static final long PATIENCE_MS = 30_000;
  private static final int THREADS = 8;

  /**
   * Number of open connections above which the longest idle one is closed for each new connection.
   */
  private static final int MOST_OPEN = 384;

  /**
   * Number of connections, event streams and closing ones included, above which no connection is
   * accepted.
   */
  private static final int MOST_CONNECTIONS = 512;

  private static final int MOST_HEADER_BYTES = 16 * 1024;

  /**
   * Permits every character of an id in encoded form in a path, such as %2F. This is safe because
   * {@link Paths} splits a path before it decodes the parts, and no part names a file.
   */
  private static final UriCompliance PATHS =
      UriCompliance.DEFAULT.with(
          "ids",
          UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
          UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING,
          UriCompliance.Violation.AMBIGUOUS_PATH_SEGMENT,
          UriCompliance.Violation.SUSPICIOUS_PATH_CHARACTERS);

  private final HttpConfig config;
  private final Routes routes = new Routes();
  private final ApiCalls calls;
  private final Server server;
  private final ServerConnector connector;
  private final InetAddress host;
  private final int port;

  private WebServer(HttpConfig config, Monitoring monitoring, long patienceMs) throws IOException {
    this.config = config;
    QueuedThreadPool threads = new QueuedThreadPool(THREADS, 1);
    threads.setName("sluice-http");
    threads.setDaemon(true);
    server = new Server(threads);
    server.setStopTimeout(0);
    connector = new ServerConnector(server, 1, 1, Encryption.connections(config.tls(), http()));
    host = InetAddress.getByName(config.host());
    connector.setHost(host.getHostAddress());
    connector.setPort(config.port());
    connector.setIdleTimeout(patienceMs);
    connector.open();
    port = connector.getLocalPort();
    ConnectionGuard guarded = new ConnectionGuard(server.getScheduler(), patienceMs, MOST_OPEN);
    connector.addBean(guarded);
    Guard guard = new Guard(config, host, port);
    calls = new ApiCalls(routes, guarded, guard);
    server.addConnector(connector);
    server.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, server));
    server.setErrorHandler(new Errors());
    server.setHandler(new Dispatcher(guard, new Observed(monitoring), calls, config.tls().isOn()));
  }

  private static HttpConfiguration http() {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(MOST_HEADER_BYTES);
    http.setUriCompliance(PATHS);
    return http;
  }

  /**
   * Starts the HTTP server, before the instance has started.
   *
   * @throws StartException if the address or port cannot be bound, or the key store cannot be read
   */
  public static WebServer open(HttpConfig config, Monitoring monitoring) {
    return open(config, monitoring, PATIENCE_MS);
  }

  static WebServer open(HttpConfig config, Monitoring monitoring, long patienceMs) {
    try {
      WebServer web = new WebServer(config, monitoring, patienceMs);
      web.start();
      return web;
    } catch (IOException e) {
      throw cannot(config, " (sluice.http.host, sluice.http.port): ", e);
    }
  }

  /**
   * Returns the TLS context for calls to other instances.
   *
   * @throws StartException if the key store cannot be read
   */
  public static SSLContext trusted(HttpConfig.Tls tls) {
    return Trust.of(tls);
  }

  private void start() {
    try {
      server.start();
    } catch (Exception e) {
      close();
      throw cannot(config, ": ", e);
    }
    LOG.info("the web page, metrics, health and the API are served on {}", address());
  }

  private static StartException cannot(HttpConfig config, String where, Exception e) {
    return new StartException(
        "cannot serve HTTP on " + config.host() + ":" + config.port() + where + e.getMessage(), e);
  }

  /** Sets the routes of the API. Until then the server refuses requests to the API. */
  public void serve(List<Route> api) {
    routes.are(api);
  }

  /** Address of the HTTP server, with the actual port. */
  public URI address() {
    String scheme = config.tls().isOn() ? "https://" : "http://";
    return URI.create(scheme + Guard.literal(host) + ":" + port);
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      LOG.warn("closing the HTTP server failed", e);
    }
    connector.close();
    calls.close();
  }
}

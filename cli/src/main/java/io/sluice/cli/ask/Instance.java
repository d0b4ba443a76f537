package io.sluice.cli.ask;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.limiter.PlainText;
import io.sluice.rules.event.Keys;
import io.sluice.server.web.JsonText;
import io.sluice.topology.config.HttpConfig;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** HTTP client for the API of a running instance of Sluice. */
final class Instance {
  private static final int PATIENCE_MS = 10_000;

  /** Maximum time in milliseconds of a whole request, however slowly its answer comes. */
  private static final long WHOLE_MS = 20_000;

  private static final int MOST_BYTES = 64 << 20;
  private static final String LIMITS = "/api/limits";

  private final URI base;
  private final String token;
  private final long wholeMs;

  private Instance(URI base, String token, long wholeMs) {
    this.base = base;
    this.token = token;
    this.wholeMs = wholeMs;
  }

  /** Thrown if the instance gave no usable answer; the message says why in one line. */
  static final class UnansweredException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final boolean lacksPath;

    private UnansweredException(String message, int status, boolean lacksPath) {
      super(message);
      this.status = status;
      this.lacksPath = lacksPath;
    }

    private UnansweredException(String message, Exception cause) {
      super(message, cause);
      status = 0;
      lacksPath = false;
    }

    /** Whether the request was invalid or named a limit that does not exist (status 400 or 404). */
    boolean isMistake() {
      return status == HttpURLConnection.HTTP_BAD_REQUEST
          || (status == HttpURLConnection.HTTP_NOT_FOUND && !lacksPath);
    }

    /** Whether the token does not permit the request (status 401 or 403). */
    boolean isRefusal() {
      return status == HttpURLConnection.HTTP_UNAUTHORIZED
          || status == HttpURLConnection.HTTP_FORBIDDEN;
    }

    /** Whether the connection failed or the answer was not JSON. A retry may then succeed. */
    boolean isSilence() {
      return getCause() != null;
    }
  }

  /**
   * Creates a client.
   *
   * @param url empty to use the address in the configuration
   * @throws IllegalArgumentException if no valid address is given; the message names the option or
   *     setting to set
   */
  static Instance of(HttpConfig http, String url) {
    return of(http, url, WHOLE_MS);
  }

  /**
   * @param wholeMs maximum time of a request in milliseconds
   */
  static Instance of(HttpConfig http, String url, long wholeMs) {
    return new Instance(url.isEmpty() ? served(http) : given(url), http.sentToken(), wholeMs);
  }

  private static URI given(String url) {
    if (!url.matches("https?://[^/?#@\\s]+/?")) {
      throw new IllegalArgumentException(
          "--http is a URL without a path, such as http://localhost:9464");
    }
    return URI.create(url);
  }

  private static URI served(HttpConfig http) {
    if (!http.served() || http.port() == 0) {
      throw new IllegalArgumentException(
          "the file has no " + Keys.HTTP_PORT + ": give --http, such as http://localhost:9464");
    }
    String scheme = http.tls().isOn() ? "https://" : "http://";
    if (!http.advertised().isEmpty()) return URI.create(scheme + http.advertised());
    String host = http.host().matches("0\\.0\\.0\\.0|::") ? "localhost" : http.host();
    String literal = host.indexOf(':') < 0 ? host : "[" + host + "]";
    return URI.create(scheme + literal + ":" + http.port());
  }

  ObjectNode limits() {
    // Without the live counts of the other instances, which the commands do not show.
    return get(LIMITS + "?local=true");
  }

  ObjectNode key(String limit, Map<String, String> key) {
    String query =
        key.entrySet().stream()
            .map(each -> encoded(each.getKey()) + "=" + encoded(each.getValue()))
            .collect(Collectors.joining("&"));
    return get(LIMITS + "/" + encoded(limit) + "/key?" + query);
  }

  /**
   * Returns the keys with the most events of the verdict {@code by}.
   *
   * @param limit name of a limit; empty for all limits
   */
  ObjectNode top(String by, String limit) {
    String of = limit.isEmpty() ? "" : "&limit=" + encoded(limit);
    return get("/api/top?by=" + encoded(by) + of);
  }

  /** Returns the events that wait in line, as the parameters of the request select them. */
  ObjectNode waiting(Map<String, String> parameters) {
    return get(
        "/api/waiting?"
            + parameters.entrySet().stream()
                .map(each -> encoded(each.getKey()) + "=" + encoded(each.getValue()))
                .collect(Collectors.joining("&")));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  /** Response of an instance: its status and its body. */
  private record Response(int status, String body) {}

  private ObjectNode get(String path) {
    try {
      Response response = response(path);
      ObjectNode answer = JsonText.read(response.body, ObjectNode.class);
      if (response.status == HttpURLConnection.HTTP_OK) return answer;
      String error = answer.path("error").asText("");
      // An instance of an older release does not have all paths; this is no mistake of the user.
      boolean lacksPath = error.startsWith("unknown path");
      throw new UnansweredException(
          base + ": " + PlainText.message(error), response.status, lacksPath);
    } catch (IOException | IllegalArgumentException e) {
      throw new UnansweredException(
          base + " does not answer like an instance of Sluice; give its address with --http", e);
    }
  }

  // java.net.http would start threads and read the trusted certificates even without TLS, which
  // takes longer than the request.
  private Response response(String path) throws IOException {
    var connection = (HttpURLConnection) base.resolve(path).toURL().openConnection();
    connection.setInstanceFollowRedirects(false);
    connection.setConnectTimeout(PATIENCE_MS);
    connection.setReadTimeout(PATIENCE_MS);
    if (!token.isEmpty()) connection.setRequestProperty("Authorization", "Bearer " + token);
    FutureTask<Response> asking = new FutureTask<>(() -> read(connection));
    // The timeouts of the connection are those of each read, so they do not end an answer that
    // comes byte by byte. The thread of such an answer ends with the process.
    Thread thread = new Thread(asking, "sluice-request");
    thread.setDaemon(true);
    thread.start();
    try {
      return asking.get(wholeMs, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      connection.disconnect();
      throw new IOException("no whole answer within " + wholeMs + " ms", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failed) throw failed;
      throw new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static Response read(HttpURLConnection connection) throws IOException {
    int status = connection.getResponseCode();
    return new Response(status, body(connection, status));
  }

  private static String body(HttpURLConnection connection, int status) throws IOException {
    boolean failed = status >= HttpURLConnection.HTTP_BAD_REQUEST;
    try (InputStream body = failed ? connection.getErrorStream() : connection.getInputStream()) {
      if (body == null) return "";
      byte[] all = body.readNBytes(MOST_BYTES + 1);
      if (all.length > MOST_BYTES) throw new IOException("more than " + MOST_BYTES + " bytes");
      return new String(all, UTF_8);
    }
  }
}

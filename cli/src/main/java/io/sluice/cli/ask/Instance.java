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
import java.util.stream.Collectors;

/** HTTP client for the API of a running instance of Sluice. */
final class Instance {
  private static final int PATIENCE_MS = 10_000;
  private static final String LIMITS = "/api/limits";

  private final URI base;
  private final String token;

  private Instance(URI base, String token) {
    this.base = base;
    this.token = token;
  }

  /** Thrown if the instance gave no usable answer; the message says why in one line. */
  static final class UnansweredException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean mistake;

    private UnansweredException(String message, boolean mistake) {
      super(message);
      this.mistake = mistake;
    }

    private UnansweredException(String message, Exception cause) {
      super(message, cause);
      mistake = false;
    }

    /** Whether the request was invalid or named a limit that does not exist (status 400 or 404). */
    boolean isMistake() {
      return mistake;
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
    return new Instance(url.isEmpty() ? served(http) : given(url), http.sentToken());
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

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  // java.net.http would start threads and read the trusted certificates even without TLS, which
  // takes longer than the request.
  private ObjectNode get(String path) {
    try {
      var connection = (HttpURLConnection) base.resolve(path).toURL().openConnection();
      connection.setInstanceFollowRedirects(false);
      connection.setConnectTimeout(PATIENCE_MS);
      connection.setReadTimeout(PATIENCE_MS);
      if (!token.isEmpty()) connection.setRequestProperty("Authorization", "Bearer " + token);
      int status = connection.getResponseCode();
      ObjectNode answer = JsonText.read(body(connection, status), ObjectNode.class);
      if (status == HttpURLConnection.HTTP_OK) return answer;
      boolean mistake =
          status == HttpURLConnection.HTTP_BAD_REQUEST
              || status == HttpURLConnection.HTTP_NOT_FOUND;
      throw new UnansweredException(
          base + ": " + PlainText.message(answer.path("error").asText("")), mistake);
    } catch (IOException | IllegalArgumentException e) {
      throw new UnansweredException(
          base + " does not answer like an instance of Sluice; give its address with --http", e);
    }
  }

  private static String body(HttpURLConnection connection, int status) throws IOException {
    boolean failed = status >= HttpURLConnection.HTTP_BAD_REQUEST;
    try (InputStream body = failed ? connection.getErrorStream() : connection.getInputStream()) {
      return body == null ? "" : new String(body.readAllBytes(), UTF_8);
    }
  }
}

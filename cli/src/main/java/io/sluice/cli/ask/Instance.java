package io.sluice.cli.ask;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.limiter.PlainText;
import io.sluice.rules.event.Keys;
import io.sluice.topology.config.HttpConfig;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

/** HTTP client for the API of a running instance of Sluice. */
final class Instance {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String LIMITS = "/api/limits";

  private final URI base;
  private final String token;
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();

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

  Tree limits() {
    // Without the live counts of the other instances, which the commands do not show.
    return get(LIMITS + "?local=true");
  }

  Tree key(String limit, Map<String, String> key) {
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
  Tree top(String by, String limit) {
    String of = limit.isEmpty() ? "" : "&limit=" + encoded(limit);
    return get("/api/top?by=" + encoded(by) + of);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  private Tree get(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path)).timeout(PATIENCE);
    if (!token.isEmpty()) request.header("Authorization", "Bearer " + token);
    try {
      HttpResponse<String> response =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      int status = response.statusCode();
      Tree answer = Tree.of(response.body());
      if (status == 200) return answer;
      throw new UnansweredException(
          base + ": " + PlainText.message(answer.text("error")), status == 400 || status == 404);
    } catch (IOException e) {
      throw new UnansweredException(
          base + " does not answer like an instance of Sluice; give its address with --http", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnansweredException("interrupted", false);
    }
  }
}

package io.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.topology.config.HttpConfig;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** A client of an instance's API that asks for the keys with most events. */
final class TopClient {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final JsonFactory JSON = new JsonFactory();

  private final URI base;
  private final String token;
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();

  /** The instance did not answer; it may later. */
  static final class UnreachableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnreachableException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private TopClient(URI base, String token) {
    this.base = base;
    this.token = token;
  }

  /**
   * @param given the instance; null for that of the configuration
   */
  static TopClient of(HttpConfig config, URI given) {
    if (given == null) return new TopClient(configured(config), config.token());
    boolean isHttp = given.getScheme() != null && given.getScheme().matches("https?");
    if (!isHttp || given.getHost() == null) {
      throw new CommandFailedException("--http is a URL such as http://localhost:9464");
    }
    return new TopClient(given.resolve("/"), config.token());
  }

  private static URI configured(HttpConfig config) {
    boolean isKnown = config.served() && (config.port() > 0 || !config.advertised().isEmpty());
    if (!isKnown) {
      throw new CommandFailedException(
          "the file does not say where an instance is served: set sluice.http.port, or give --http URL");
    }
    String host = config.host().matches("0\\.0\\.0\\.0|::") ? "localhost" : config.host();
    String literal = host.indexOf(':') < 0 ? host : "[" + host + "]";
    String at = config.advertised().isEmpty() ? literal + ":" + config.port() : config.advertised();
    return URI.create((config.tls().isOn() ? "https://" : "http://") + at + "/");
  }

  /**
   * Asks.
   *
   * @param limit null for all
   */
  byte[] ask(String by, String limit) throws InterruptedException {
    String of = limit == null ? "" : "&limit=" + URLEncoder.encode(limit, UTF_8);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve("/api/top?by=" + by + of)).timeout(PATIENCE);
    if (!token.isEmpty()) request.header("Authorization", "Bearer " + token);
    try {
      HttpResponse<byte[]> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      if (answer.statusCode() == 200) return answer.body();
      throw new CommandFailedException(base + " answers: " + error(answer));
    } catch (IOException e) {
      String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      throw new UnreachableException(base + " does not answer (" + why + ")", e);
    }
  }

  private static String error(HttpResponse<byte[]> answer) {
    try (JsonParser json = JSON.createParser(answer.body())) {
      boolean isError =
          json.nextToken() == JsonToken.START_OBJECT && "error".equals(json.nextFieldName());
      if (isError) return json.nextTextValue();
    } catch (IOException e) {
      return "status " + answer.statusCode();
    }
    return "status " + answer.statusCode();
  }
}

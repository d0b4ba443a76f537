package io.sluice.guarantees.bed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * HTTP client for the metrics and health endpoints of an instance, for which it chooses a free
 * port.
 */
final class Scrape {
  private static final Duration MOST_WAITING = Duration.ofSeconds(5);

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(MOST_WAITING)
          .build();
  private final int port;

  Scrape() {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = any.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return port;
  }

  /**
   * Returns the number of live stream threads of the instance; 0 if the instance does not answer.
   */
  int aliveThreads() throws InterruptedException {
    return (int) metric("kafka_stream_alive_stream_threads");
  }

  /**
   * Returns the sum of a metric's values over all labels; 0 if the instance does not serve the
   * metric.
   */
  double metric(String name) throws InterruptedException {
    Pattern line = Pattern.compile("^" + name + "(?:\\{[^}]*})?\\s+(\\S+)", Pattern.MULTILINE);
    Matcher values = line.matcher(get("/metrics").map(HttpResponse::body).orElse(""));
    double sum = 0;
    while (values.find()) sum += Double.parseDouble(values.group(1));
    return sum;
  }

  /** Returns the HTTP status of a health endpoint; 0 if the instance does not answer. */
  int health(String endpoint) throws InterruptedException {
    return get("/health/" + endpoint).map(HttpResponse::statusCode).orElse(0);
  }

  private Optional<HttpResponse<String>> get(String path) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(MOST_WAITING)
            .build();
    try {
      return Optional.of(http.send(request, HttpResponse.BodyHandlers.ofString()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}

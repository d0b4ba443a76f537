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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metrics that an instance serves, on a port of its own. */
final class Scrape {
  private static final Pattern THREADS =
      Pattern.compile("kafka_stream_alive_stream_threads\\{[^}]*}\\s+([0-9.]+)");
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

  /** How many stream threads live; none if it does not say. */
  int aliveThreads() throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
            .timeout(MOST_WAITING)
            .build();
    try {
      String text = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
      Matcher threads = THREADS.matcher(text);
      return threads.find() ? (int) Double.parseDouble(threads.group(1)) : 0;
    } catch (IOException e) {
      return 0;
    }
  }
}

package io.sluice.topology.board;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.topology.config.HttpConfig;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The other instances, asked at the same time; one that does not answer is waited for two seconds.
 */
final class OtherInstances {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final int MOST_ASKED = 200;

  private final HttpConfig http;
  private final Supplier<List<String>> addresses;
  private final HttpClient client =
      HttpClient.newBuilder()
          .connectTimeout(PATIENCE)
          .followRedirects(HttpClient.Redirect.NEVER)
          .version(HttpClient.Version.HTTP_1_1)
          .build();

  OtherInstances(HttpConfig http, Supplier<List<String>> addresses) {
    this.http = http;
    this.addresses = addresses;
  }

  /** A report with those of the others added. */
  Report with(Report own, Optional<String> limit) throws InterruptedException {
    Map<String, CompletableFuture<HttpResponse<byte[]>>> asked = new LinkedHashMap<>();
    for (String each : addresses.get().stream().sorted().limit(MOST_ASKED).toList()) {
      asked.put(each, ask(each, own.by(), limit));
    }
    List<String> answered =
        new ArrayList<>(List.of(http.advertised().isEmpty() ? "this one" : http.advertised()));
    Map<String, String> unanswered = new TreeMap<>();
    List<Report> reports = new ArrayList<>();
    for (Map.Entry<String, CompletableFuture<HttpResponse<byte[]>>> each : asked.entrySet()) {
      try {
        reports.add(read(each.getValue().get(PATIENCE.toMillis() * 2, TimeUnit.MILLISECONDS)));
        answered.add(each.getKey());
      } catch (ExecutionException e) {
        unanswered.put(each.getKey(), why(e.getCause()));
      } catch (TimeoutException | IllegalArgumentException e) {
        unanswered.put(each.getKey(), why(e));
      }
    }
    return new Report(own.by(), own.asOfMs(), Reports.sum(own, reports), answered, unanswered);
  }

  private CompletableFuture<HttpResponse<byte[]>> ask(
      String address, String by, Optional<String> limit) {
    String of = limit.map(name -> "&limit=" + URLEncoder.encode(name, UTF_8)).orElse("");
    String scheme = http.tls().isOn() ? "https://" : "http://";
    try {
      URI uri = URI.create(scheme + address + "/api/top?here=true&by=" + by + of);
      HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(PATIENCE);
      if (!http.token().isEmpty()) request.header("Authorization", "Bearer " + http.token());
      return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    } catch (IllegalArgumentException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static Report read(HttpResponse<byte[]> response) {
    if (response.statusCode() != 200) {
      throw new IllegalArgumentException("it answers with status " + response.statusCode());
    }
    return Report.read(response.body());
  }

  private static String why(Throwable cause) {
    String said = cause.getMessage();
    return said == null || said.isEmpty() ? cause.getClass().getSimpleName() : said;
  }
}

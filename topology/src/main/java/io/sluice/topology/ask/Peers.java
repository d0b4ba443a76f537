package io.sluice.topology.ask;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.topology.config.HttpConfig;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.streams.state.HostInfo;

/** The other instances, asked over HTTP with the token that all of them have. */
final class Peers {
  /** Tells an instance that is asked by another not to ask a third. */
  static final String LOCAL = "local";

  private static final Duration CONNECT = Duration.ofMillis(500);
  private static final Duration ANSWER = Duration.ofSeconds(2);

  private final HttpConfig http;
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(CONNECT)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();

  Peers(HttpConfig http) {
    this.http = http;
  }

  /** What an instance answers. */
  record Said(int status, String body) {}

  /** None if it does not answer within seconds. */
  Optional<Said> ask(HostInfo peer, String path, Map<String, String> parameters) {
    return asked(peer, path, parameters).join();
  }

  /** The same, without waiting for it. */
  CompletableFuture<Optional<Said>> asked(
      HostInfo peer, String path, Map<String, String> parameters) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(peer, path, parameters)).timeout(ANSWER);
    if (!http.token().isEmpty()) request.header("Authorization", "Bearer " + http.token());
    return client
        .sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
        .thenApply(response -> Optional.of(new Said(response.statusCode(), response.body())))
        .completeOnTimeout(Optional.empty(), 2 * ANSWER.toMillis(), TimeUnit.MILLISECONDS)
        .exceptionally(failure -> Optional.empty());
  }

  private URI uri(HostInfo peer, String path, Map<String, String> parameters) {
    String host = peer.host().indexOf(':') < 0 ? peer.host() : "[" + peer.host() + "]";
    String query =
        parameters.entrySet().stream()
            .map(each -> encoded(each.getKey()) + "=" + encoded(each.getValue()))
            .collect(Collectors.joining("&", "?", "&" + LOCAL + "=true"));
    String scheme = http.tls().isOn() ? "https://" : "http://";
    return URI.create(scheme + host + ":" + peer.port() + path + query);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }
}

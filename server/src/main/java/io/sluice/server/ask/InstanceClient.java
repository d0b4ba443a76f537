package io.sluice.server.ask;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.server.web.WebServer;
import io.sluice.topology.config.HttpConfig;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * HTTP client for other instances of the application. It sends the token that all of them share.
 */
final class InstanceClient {
  /** Request parameter that tells an instance to answer by itself and not to ask others. */
  static final String LOCAL = "local";

  /**
   * Maximum size of a body in bytes. One limit takes about 1 kB, so this is enough for ten thousand
   * limits.
   */
  static final int MOST_BYTES = 16 << 20;

  private static final Duration CONNECT = Duration.ofMillis(500);
  private static final Duration ANSWER = Duration.ofSeconds(2);

  private final HttpConfig http;
  private final Duration answer;
  private final HttpClient client;

  InstanceClient(HttpConfig http) {
    this(http, ANSWER);
  }

  /**
   * Creates a client with a timeout.
   *
   * @param answer timeout for the response headers; the whole response may take twice as long
   */
  InstanceClient(HttpConfig http, Duration answer) {
    this.http = http;
    this.answer = answer;
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .sslContext(WebServer.trusted(http.tls()))
            .build();
  }

  /** HTTP response of an instance: its status and its body. */
  record Said(int status, String body) {}

  /**
   * Asks an instance without waiting. The future fails, with the reason, if there is no complete
   * response within seconds, or if the response is too long.
   *
   * @param address such as {@code host:port}
   */
  CompletableFuture<Said> ask(String address, String path, Map<String, String> parameters) {
    URI uri;
    try {
      uri = uri(address, path, parameters);
    } catch (IllegalArgumentException e) {
      return CompletableFuture.failedFuture(e);
    }
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(answer);
    if (!http.token().isEmpty()) request.header("Authorization", "Bearer " + http.token());
    CompletableFuture<HttpResponse<String>> exchange =
        client.sendAsync(request.build(), unused -> new BoundedBody());
    // The timeout of the request ends with the headers. Only cancelling the client's own future
    // closes the connection.
    return exchange
        .thenApply(response -> new Said(response.statusCode(), response.body()))
        .orTimeout(2 * answer.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((said, failure) -> exchange.cancel(true));
  }

  private URI uri(String address, String path, Map<String, String> parameters) {
    String query =
        parameters.entrySet().stream()
            .map(each -> encoded(each.getKey()) + "=" + encoded(each.getValue()))
            .collect(Collectors.joining("&", "?", "&" + LOCAL + "=true"));
    String scheme = http.tls().isOn() ? "https://" : "http://";
    URI uri = URI.create(scheme + address + path + query);
    if (uri.getHost() == null) throw new IllegalArgumentException("no address: " + address);
    return uri;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  /**
   * Body of an instance's HTTP response as text. It fails if the body is too long, whether or not
   * its length was announced, since an advertised address may belong to another server.
   */
  private static final class BoundedBody implements BodySubscriber<String> {
    private final BodySubscriber<String> text = BodySubscribers.ofString(UTF_8);
    private Flow.Subscription subscription;
    private long bytes;

    @Override
    public CompletionStage<String> getBody() {
      return text.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      this.subscription = subscription;
      text.onSubscribe(subscription);
    }

    @Override
    public void onNext(List<ByteBuffer> part) {
      bytes += part.stream().mapToLong(Buffer::remaining).sum();
      if (bytes <= MOST_BYTES) {
        text.onNext(part);
        return;
      }
      subscription.cancel();
      onError(new IOException("it answers with more than " + MOST_BYTES + " bytes"));
    }

    @Override
    public void onError(Throwable failure) {
      text.onError(failure);
    }

    @Override
    public void onComplete() {
      text.onComplete();
    }
  }
}

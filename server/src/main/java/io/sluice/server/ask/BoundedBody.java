package io.sluice.server.ask;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/**
 * Body of an instance's HTTP response as text. It fails if the body is too long, whether or not its
 * length was announced, since an advertised address may belong to another server.
 */
final class BoundedBody implements BodySubscriber<String> {
  /**
   * Maximum size of a body in bytes. One limit takes about 1 kB, so this is enough for ten thousand
   * limits.
   */
  static final int MOST_BYTES = 16 << 20;

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

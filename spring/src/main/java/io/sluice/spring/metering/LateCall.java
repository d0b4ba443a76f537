package io.sluice.spring.metering;

import io.sluice.limiter.Outcome;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A call that holds no thread until Redis has answered. Who answers it runs what hangs on its
 * future, but not what can be thrown there.
 */
final class LateCall {
  private volatile Passage passage;
  private final MeteredListener listener;
  private final CompletableFuture<Metered> metered = new CompletableFuture<>();
  private final long sinceNanos = System.nanoTime();

  /**
   * @param listener told of the call when it is metered, also if nobody waits for it any more
   */
  LateCall(Passage passage, MeteredListener listener) {
    this.passage = passage;
    this.listener = listener;
  }

  CompletableFuture<Metered> metered() {
    return metered;
  }

  Request request() {
    return passage.request();
  }

  boolean asksHereToo() {
    return passage.asksHereToo();
  }

  /** Whether it has its answer, or its caller has cancelled it. */
  boolean isDone() {
    return metered.isDone();
  }

  boolean hasWaitedFor(Duration time) {
    return System.nanoTime() - sinceNanos >= time.toNanos();
  }

  /** Leaves out the limits that only watch; returns false if there are none beside others. */
  boolean leaveOutShadows() {
    Optional<Passage> acting = passage.withoutShadows();
    acting.ifPresent(less -> passage = less);
    return acting.isPresent();
  }

  /** Redis has no say in it. */
  void answerWithoutAsking() {
    settle(() -> passage.settle());
  }

  /** Redis has charged it, or not: so it is settled here as well, whoever waits for it. */
  void answer(Outcome there) {
    settle(() -> passage.settle(Optional.of(there)));
  }

  /** Redis does not answer. Who has cancelled the call is not charged here. */
  void answerWithoutRedis() {
    if (!isDone()) settle(() -> passage.settle(Optional.empty()));
  }

  /** Redis answers and cannot use a key of the call. */
  void answerWithout(UnreadableKeyException key) {
    if (!isDone()) settle(() -> passage.settle(key));
  }

  void fail(Throwable failure) {
    metered.completeExceptionally(failure);
  }

  private void settle(Supplier<Metered> settlement) {
    try {
      Metered settled = settlement.get();
      listener.metered(settled);
      metered.complete(settled);
    } catch (Throwable e) { // or nobody would ever answer
      fail(e);
    }
  }
}

package io.sluice.spring.metering;

import io.sluice.limiter.Outcome;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Asynchronously metered call: no thread waits for Redis. The thread that answers it also runs the
 * stages that depend on its future; their exceptions do not reach that thread.
 */
final class LateCall {
  private volatile CallMetering metering;
  private final MeteredListener listener;
  private final CompletableFuture<Metered> metered = new CompletableFuture<>();
  private final long sinceNanos = System.nanoTime();

  /**
   * @param listener receives the call when it is metered, even if its future was cancelled
   */
  LateCall(CallMetering metering, MeteredListener listener) {
    this.metering = metering;
    this.listener = listener;
  }

  CompletableFuture<Metered> metered() {
    return metered;
  }

  Request request() {
    return metering.request();
  }

  boolean asksHereToo() {
    return metering.asksHereToo();
  }

  /** Whether the call is answered, failed or cancelled. */
  boolean isDone() {
    return metered.isDone();
  }

  boolean hasWaitedFor(Duration time) {
    return System.nanoTime() - sinceNanos >= time.toNanos();
  }

  /** Leaves out limits in shadow mode; returns false if there are none, or no others. */
  boolean leaveOutShadows() {
    Optional<CallMetering> acting = metering.withoutShadows();
    acting.ifPresent(less -> metering = less);
    return acting.isPresent();
  }

  /** Completes a call that needs no answer of Redis. */
  void answerWithoutAsking() {
    settle(() -> metering.settle());
  }

  /**
   * Completes the call with the answer of Redis. Redis has already charged it, or not, so it is
   * settled in this process even if it was cancelled.
   */
  void answer(Outcome there) {
    settle(() -> metering.settle(Optional.of(there)));
  }

  /** Completes the call without Redis, which does not answer. A cancelled call is not charged. */
  void answerWithoutRedis() {
    if (!isDone()) settle(() -> metering.settle(Optional.empty()));
  }

  /** Completes the call when Redis answers, but cannot use one of its keys. */
  void answerWithout(UnreadableKeyException key) {
    if (!isDone()) settle(() -> metering.settle(key));
  }

  void fail(Throwable failure) {
    metered.completeExceptionally(failure);
  }

  private void settle(Supplier<Metered> settlement) {
    try {
      Metered settled = settlement.get();
      listener.metered(settled);
      metered.complete(settled);
    } catch (Throwable e) { // the future must complete in any case
      fail(e);
    }
  }
}

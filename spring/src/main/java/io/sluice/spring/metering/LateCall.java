package io.sluice.spring.metering;

import io.sluice.limiter.Outcome;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Method call that is metered asynchronously: no thread waits for Redis. The thread that completes
 * the call also runs the stages that depend on its future; their exceptions do not reach that
 * thread.
 */
final class LateCall {
  private volatile CallMetering metering;
  private final MeteredListener listener;
  private final CompletableFuture<Metered> metered = new CompletableFuture<>();
  private final long sinceNanos = System.nanoTime();

  /**
   * @param listener receives the result when the call is metered, even if its future was cancelled
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

  /** Whether the call's future is complete: with a result, failed or cancelled. */
  boolean isDone() {
    return metered.isDone();
  }

  boolean hasWaitedFor(Duration time) {
    return System.nanoTime() - sinceNanos >= time.toNanos();
  }

  /**
   * Removes the limits in shadow mode from the request to Redis; returns false if there are none,
   * or if no other limits are in Redis.
   */
  boolean leaveOutShadows() {
    Optional<CallMetering> acting = metering.withoutShadows();
    acting.ifPresent(less -> metering = less);
    return acting.isPresent();
  }

  /** Completes a call that has no limits in Redis. */
  void answerWithoutAsking() {
    settle(() -> metering.settle());
  }

  /**
   * Completes the call with the answer of Redis. Redis has already decided and charged, so the
   * limits in this process meter the call even if it was cancelled.
   */
  void answer(Outcome there) {
    settle(() -> metering.settle(Optional.of(there)));
  }

  /** Completes the call without Redis, which is unavailable. A cancelled call is not charged. */
  void answerWithoutRedis() {
    if (!isDone()) settle(() -> metering.settle(Optional.empty()));
  }

  /**
   * Completes the call without Redis, which answers but cannot use one of the call's keys. A
   * cancelled call is not charged.
   */
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
    } catch (Throwable e) { // of any kind: the future must complete
      fail(e);
    }
  }
}

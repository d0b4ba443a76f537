package io.sluice.limiter.async;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Decision;
import io.sluice.limiter.RateLimiter;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * {@link RateLimiter} that returns its decisions as stages. Implementations are thread-safe, and
 * hold no thread while a decision is pending.
 *
 * <p>A stage fails with {@link io.sluice.limiter.LimiterUnavailableException} if the key's state
 * could not be read or written; it is then unknown whether the key was charged. It fails with
 * {@link java.util.concurrent.RejectedExecutionException} if the limiter has too many open calls or
 * is closed; then nothing was charged.
 */
public interface AsyncRateLimiter {
  /** Meters one arrival, as {@link RateLimiter#meter(String, Arrival)} does. */
  CompletionStage<Decision> meter(String key, Arrival arrival);

  /** Meters an arrival of this cost, in permits, at the current time of the limiter's clock. */
  CompletionStage<Decision> meter(String key, long cost);

  /** Meters an arrival that needs one permit, at the current time of the limiter's clock. */
  default CompletionStage<Decision> meter(String key) {
    return meter(key, 1);
  }

  /**
   * Returns an asynchronous limiter that calls this limiter on the calling thread, and answers at
   * once. It is meant for a limiter in process; a limiter that waits for a server needs an
   * executor, or better an {@link AsyncRedisMeter}.
   */
  static AsyncRateLimiter of(RateLimiter limiter) {
    return of(limiter, Runnable::run);
  }

  /**
   * Returns an asynchronous limiter that calls this limiter, and reads its clock, on the threads of
   * this executor.
   */
  static AsyncRateLimiter of(RateLimiter limiter, Executor executor) {
    return new ExecutedLimiter(limiter, executor);
  }
}

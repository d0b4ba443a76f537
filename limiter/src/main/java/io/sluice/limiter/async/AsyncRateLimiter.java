package io.sluice.limiter.async;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Decision;
import io.sluice.limiter.RateLimiter;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * A {@link RateLimiter} whose decisions come as stages. Implementations are safe for use by many
 * threads, and hold none of them until a decision is there.
 *
 * <p>A stage fails with {@link io.sluice.limiter.LimiterUnavailableException} if the key's state
 * could not be read or written (whether it was charged is not known then), and with {@link
 * java.util.concurrent.RejectedExecutionException} if the limiter has too much to do or is closed
 * (nothing was charged).
 */
public interface AsyncRateLimiter {
  /** Meters one arrival, as {@link RateLimiter#meter(String, Arrival)} does. */
  CompletionStage<Decision> meter(String key, Arrival arrival);

  /** Meters an arrival of this cost at the limiter's own clock, as it is when this is called. */
  CompletionStage<Decision> meter(String key, long cost);

  /** Meters an arrival that needs one permit, at the limiter's own clock. */
  default CompletionStage<Decision> meter(String key) {
    return meter(key, 1);
  }

  /**
   * A limiter that answers at once, on the thread that asks: for one in process. One that waits for
   * a server needs an executor, or is better an {@link AsyncRedisMeter}.
   */
  static AsyncRateLimiter of(RateLimiter limiter) {
    return of(limiter, Runnable::run);
  }

  /** A limiter that is asked by threads of this executor; its own clock is read there. */
  static AsyncRateLimiter of(RateLimiter limiter, Executor executor) {
    return new ExecutedLimiter(limiter, executor);
  }
}

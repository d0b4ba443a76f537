package io.sluice.server.ask;

import java.time.InstantSource;
import java.util.function.LongFunction;

/**
 * Cache of one value that is slow to compute: about a second with a hundred thousand revisions. The
 * value is computed again at the earliest after 20 times the duration of the last computation, so
 * that frequent requests use little processor time. Thread-safe.
 */
final class ThrottledCache<T> {
  private static final int REST_PER_WORK = 20;

  private final InstantSource clock;
  private final LongFunction<T> making;
  private T value;
  private long madeMs;
  private long restMs;

  /**
   * Creates a cache without a value.
   *
   * @param making computes the value for an instant, in epoch milliseconds
   */
  ThrottledCache(InstantSource clock, LongFunction<T> making) {
    this.clock = clock;
    this.making = making;
  }

  synchronized T value() {
    long nowMs = clock.millis();
    boolean rests = value != null && nowMs >= madeMs && nowMs < madeMs + restMs;
    if (rests) return value;
    value = making.apply(nowMs);
    madeMs = clock.millis();
    restMs = REST_PER_WORK * (madeMs - nowMs);
    return value;
  }
}

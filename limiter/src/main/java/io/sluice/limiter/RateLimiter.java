package io.sluice.limiter;

/**
 * A meter of traffic per key, which decides whether each arrival conforms to the key's {@link
 * Quota}. Implementations are safe for use by many threads.
 *
 * <pre>{@code
 * RateLimiter replies = new InProcessLimiter(Quota.parse("5/60s"), Algorithm.SLIDING_WINDOW_LOG);
 * if (replies.meter("user-7") instanceof Decision.Conforming) reply();
 * }</pre>
 */
public interface RateLimiter {
  /**
   * Meters one arrival. A conforming arrival is charged to the key; any other leaves the key as it
   * was, so a sender who is refused is not pushed further away by trying.
   *
   * @param key any text but one with half of a surrogate pair, which UTF-8 cannot hold: all such
   *     texts would share a count
   * @return {@link Decision.Conforming}, {@link Decision.NonConforming} or {@link
   *     Decision.Oversized}
   * @throws IllegalArgumentException if the key holds half of a surrogate pair
   * @throws LimiterUnavailableException if the key's state cannot be read or written
   */
  Decision meter(String key, Arrival arrival);

  /** Meters an arrival of this cost at the limiter's own clock. */
  Decision meter(String key, long cost);

  /** Meters an arrival that needs one permit, at the limiter's own clock. */
  default Decision meter(String key) {
    return meter(key, 1);
  }
}

package io.sluice.limiter;

/**
 * Meters traffic per key, and decides whether each arrival conforms to the key's {@link Quota}.
 * Implementations are thread-safe.
 *
 * <pre>{@code
 * RateLimiter replies = new InProcessLimiter(Quota.parse("5/60s"), Algorithm.SLIDING_WINDOW_LOG);
 * if (replies.meter("user-7") instanceof Decision.Conforming) reply();
 * }</pre>
 */
public interface RateLimiter {
  /**
   * Meters one arrival. A conforming arrival is charged to the key. A refused arrival is not
   * charged unless the rule counts attempts, so a sender that retries does not have to wait for
   * longer; but it begins a block of the key if the rule blocks.
   *
   * @param key any text without an unpaired half of a surrogate pair, which UTF-8 cannot encode:
   *     texts that differ only in such halves would share a count
   * @return {@link Decision.Conforming}, {@link Decision.NonConforming} or {@link
   *     Decision.Oversized}; also {@link Decision.Blocked} if the rule blocks
   * @throws IllegalArgumentException if the key contains an unpaired half of a surrogate pair
   * @throws LimiterUnavailableException if the key's state cannot be read or written
   */
  Decision meter(String key, Arrival arrival);

  /** Meters an arrival of this cost, in permits, at the current time of the limiter's clock. */
  Decision meter(String key, long cost);

  /** Meters an arrival that needs one permit, at the current time of the limiter's clock. */
  default Decision meter(String key) {
    return meter(key, 1);
  }
}

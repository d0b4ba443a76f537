package io.sluice.limiter;

/** Decision of one limit about one arrival. Times are waits in microseconds, never negative. */
public sealed interface Decision {
  /**
   * Returns the permits still available at this instant, after this arrival's charge if it has one.
   */
  long remaining();

  /** Returns the wait until the key is fully reset, if nothing more arrives. */
  long resetAfterMicros();

  /** Within quota: the arrival is charged, unless another limit refuses it. */
  record Conforming(long remaining, long resetAfterMicros) implements Decision {}

  /** Over quota now, within the limit's patience: the arrival conforms after {@code waitMicros}. */
  record Waiting(long remaining, long waitMicros, long resetAfterMicros) implements Decision {}

  /**
   * Over quota now, and not charged. If nothing else arrives on the key, the arrival conforms after
   * exactly this wait; if it has begun a block, not before the block ends.
   */
  record NonConforming(long remaining, long retryAfterMicros, long resetAfterMicros)
      implements Decision {}

  /**
   * Refused regardless of its cost, and not charged: an earlier arrival exceeded the quota, and the
   * key is blocked for another {@code retryAfterMicros}.
   */
  record Blocked(long retryAfterMicros, long resetAfterMicros) implements Decision {
    /** Returns 0, even if permits are unused. */
    @Override
    public long remaining() {
      return 0;
    }
  }

  /**
   * Refused and not charged, because the key was admitted within the period, with a small chance of
   * error. It has no retry-after, because the key is not over a quota.
   */
  record Known(long resetAfterMicros) implements Decision {
    @Override
    public long remaining() {
      return 0;
    }
  }

  /** Costs more than the limit's capacity, so the arrival never conforms. */
  record Oversized(long cost, long capacity, long remaining, long resetAfterMicros)
      implements Decision {}
}

package io.sluice.limiter;

/** Decision of one limit about one arrival. Times are waits in microseconds, never negative. */
public sealed interface Decision {
  /**
   * Returns the permits that are still available when the decision is made, after the arrival's
   * charge if it was charged.
   */
  long remaining();

  /**
   * Returns the wait until the key is fully reset (no permit is used and no block runs), if no
   * other arrival comes.
   */
  long resetAfterMicros();

  /**
   * The arrival is within the quota. It is charged, unless another limit refuses it. A release gets
   * this decision if it conforms at the instant at which it is judged.
   */
  record Conforming(long remaining, long resetAfterMicros) implements Decision {}

  /**
   * The arrival is over the quota now, and conforms after {@code waitMicros}. This wait is within
   * the limit's patience, so the arrival gets a slot at its end. A release gets this decision if
   * its slot is later than the instant at which it is judged, but at or before its latest instant.
   */
  record Waiting(long remaining, long waitMicros, long resetAfterMicros) implements Decision {}

  /**
   * The arrival is over the quota, and not charged unless the rule counts attempts. If nothing else
   * arrives for the key, the same arrival conforms after {@code retryAfterMicros}, or with
   * HyperLogLog not earlier. If the arrival has begun a block, that wait lasts at least until the
   * block's end. For a release, the wait ends after its latest instant; nothing is charged, and no
   * block begins.
   */
  record NonConforming(long remaining, long retryAfterMicros, long resetAfterMicros)
      implements Decision {}

  /**
   * The arrival is refused, regardless of its cost, because an earlier arrival exceeded the quota:
   * the key is blocked for another {@code retryAfterMicros}. It is not charged, unless the rule
   * counts attempts.
   */
  record Blocked(long retryAfterMicros, long resetAfterMicros) implements Decision {
    /** Returns 0, because a blocked key admits nothing even if permits are unused. */
    @Override
    public long remaining() {
      return 0;
    }
  }

  /**
   * The arrival is refused and not charged, because its key was admitted within the period. A small
   * share of new keys is refused too. The decision has no retry-after, because the key is not over
   * a quota.
   */
  record Known(long resetAfterMicros) implements Decision {
    @Override
    public long remaining() {
      return 0;
    }
  }

  /**
   * The arrival costs more than the limit's capacity (its burst, or the permits of a window), so it
   * never conforms. Under a limit on distinct values, the cost is the number of the arrival's
   * values.
   */
  record Oversized(long cost, long capacity, long remaining, long resetAfterMicros)
      implements Decision {}
}

package io.sluice.limiter;

/**
 * The conclusion of one limit about one arrival. Times are waits in microseconds, never negative.
 */
public sealed interface Decision {
  /** Permits that could still arrive at this instant, after whatever this arrival was charged. */
  long remaining();

  /** Wait until the key is as good as new, if nothing more arrives. */
  long resetAfterMicros();

  /** Within quota: the arrival is charged, unless another limit refused it. */
  record Conforming(long remaining, long resetAfterMicros) implements Decision {}

  /** Over quota now, within the limit's patience: it conforms after {@code waitMicros}. */
  record Waiting(long remaining, long waitMicros, long resetAfterMicros) implements Decision {}

  /**
   * Over quota now, and not charged. Alone on its key, it conforms after exactly this long, or, if
   * it has the key blocked, no earlier than when that ends.
   */
  record NonConforming(long remaining, long retryAfterMicros, long resetAfterMicros)
      implements Decision {}

  /**
   * Refused whatever it costs, and not charged: an arrival before it has gone over the quota, and
   * the key is blocked for another {@code retryAfterMicros}.
   */
  record Blocked(long retryAfterMicros, long resetAfterMicros) implements Decision {
    /** None, however few are used. */
    @Override
    public long remaining() {
      return 0;
    }
  }

  /**
   * Refused because its key was, as far as can be told, admitted within the period; not charged. No
   * wait is named: it is not the key that is over a quota.
   */
  record Known(long resetAfterMicros) implements Decision {
    @Override
    public long remaining() {
      return 0;
    }
  }

  /** Costs more than could ever fit, so no wait makes it conform. */
  record Oversized(long cost, long capacity, long remaining, long resetAfterMicros)
      implements Decision {}
}

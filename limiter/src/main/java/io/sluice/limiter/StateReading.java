package io.sluice.limiter;

/** Read access to a bucket's state, in the state store or in Redis. */
public interface StateReading {
  /** Result of {@link #conformsAt} for an arrival that is refused without a retry-after. */
  long NEVER_MICROS = Long.MAX_VALUE;

  /**
   * Returns the first instant, at or after {@code nowMicros}, at which an arrival of this cost
   * conforms, behind all arrivals admitted or reserved before it. The cost must be within the
   * rule's capacity.
   */
  long conformsAt(long nowMicros, long cost);

  /** Returns the permits that are still available at {@code nowMicros}, at least 0. */
  long remaining(long nowMicros);

  /** Returns the instant at which the key is fully reset, in epoch microseconds. */
  long newAt();

  /**
   * Whether the arrival has made the Bloom filters of its limit grow beyond their configured
   * capacity.
   */
  default boolean hasGrown() {
    return false;
  }
}

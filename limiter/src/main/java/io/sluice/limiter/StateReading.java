package io.sluice.limiter;

/** Read access to a key's state, in either backend. */
public interface StateReading {
  /** Instant of an arrival that is refused without a retry-after. */
  long NEVER_MICROS = Long.MAX_VALUE;

  /**
   * Returns the first instant, at or after {@code nowMicros}, at which the arrival conforms after
   * everything admitted or reserved before it. The cost must be within the rule's capacity.
   */
  long conformsAt(long nowMicros, long cost);

  /** Returns the permits still available, never negative. */
  long remaining(long nowMicros);

  /** Returns the instant at which the key is fully reset. */
  long newAt();

  /** Whether the arrival has made its limit's filters grow beyond their capacity. */
  default boolean hasGrown() {
    return false;
  }
}

package io.sluice.limiter;

/** A key's state as far as it can be read, wherever it is kept. */
public interface StateReading {
  /** In place of an instant, if an arrival is refused and it is not said for how long. */
  long NEVER_MICROS = Long.MAX_VALUE;

  /**
   * The first instant, at or after {@code now}, at which the arrival conforms after everything
   * admitted or reserved before it. Asked only with a cost within the rule's capacity.
   */
  long conformsAt(long nowMicros, long cost);

  /** Permits that could still arrive, never negative. */
  long remaining(long nowMicros);

  /** When the key is as good as new. */
  long newAt();

  /** Whether the arrival has made its limit's filters grow beyond their capacity. */
  default boolean hasGrown() {
    return false;
  }
}

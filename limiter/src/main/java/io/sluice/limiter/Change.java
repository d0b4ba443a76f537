package io.sluice.limiter;

/**
 * A change of a rule: it holds from its instant on, in microseconds since the epoch, that instant
 * included. Several at one instant are one change; of several numbers the last ones hold.
 */
public sealed interface Change {
  long atMicros();

  /** Other numbers. What has been used stays used, and who is blocked stays blocked as long. */
  record Numbers(long atMicros, Quota quota, long patienceMicros, long blockMicros)
      implements Change {
    public Numbers {
      checkInstant(atMicros);
    }

    /** Numbers of a rule that blocks nobody. */
    public Numbers(long atMicros, Quota quota, long patienceMicros) {
      this(atMicros, quota, patienceMicros, 0);
    }
  }

  /**
   * A new beginning: a bucket whose clock is earlier forgets, once, what was used, what it has
   * admitted, and that it is blocked. Turns that it has reserved stay reserved.
   */
  record Reset(long atMicros) implements Change {
    public Reset {
      checkInstant(atMicros);
    }
  }

  private static void checkInstant(long atMicros) {
    if (atMicros < 0 || atMicros >= Arrival.LATEST_MICROS) {
      throw new IllegalArgumentException("a change must be in the years 1970 to 2200: " + atMicros);
    }
  }
}

package io.sluice.limiter;

/**
 * Change of a rule, in force from its instant on, in epoch microseconds, inclusive. Changes at one
 * instant are applied together; of several numbers, the last ones hold.
 */
public sealed interface Change {
  long atMicros();

  /** New numbers of the rule. Used permits stay used, and a running block keeps its end. */
  record Numbers(long atMicros, Quota quota, long patienceMicros, long blockMicros)
      implements Change {
    public Numbers {
      checkInstant(atMicros);
    }

    /** Creates numbers of a rule that does not block. */
    public Numbers(long atMicros, Quota quota, long patienceMicros) {
      this(atMicros, quota, patienceMicros, 0);
    }
  }

  /**
   * Reset of every bucket whose clock is earlier: once, the bucket forgets the permits used, what
   * it has admitted, and its block. Slots that it has reserved stay reserved.
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

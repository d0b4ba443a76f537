package io.sluice.limiter;

/**
 * Change of a rule, in force from {@code atMicros} on: an instant in epoch microseconds, inclusive.
 * Changes at the same instant are applied together; if several of them set numbers, the last one
 * holds.
 */
public sealed interface Change {
  long atMicros();

  /**
   * New quota, patience (longest wait of an arrival for its slot) and block length of a rule. Used
   * permits stay used, unless the algorithm counts per period and the period changes. A running
   * block keeps its end.
   */
  record Numbers(long atMicros, Quota quota, long patienceMicros, long blockMicros)
      implements Change {
    public Numbers {
      checkInstant(atMicros);
    }

    /** Creates new numbers of a rule, without blocks. */
    public Numbers(long atMicros, Quota quota, long patienceMicros) {
      this(atMicros, quota, patienceMicros, 0);
    }
  }

  /**
   * Reset, once, of each bucket whose clock is before {@code atMicros}: the bucket forgets the
   * permits used, the arrivals admitted, and its block. It keeps its latest reserved slot, so that
   * new arrivals do not overtake delayed ones.
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

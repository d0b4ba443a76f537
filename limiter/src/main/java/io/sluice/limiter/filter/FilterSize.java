package io.sluice.limiter.filter;

/**
 * Size of a limit's filters, as configured.
 *
 * @param capacity pairs that are expected in a period: 1 to {@value #MOST_CAPACITY}; beyond it,
 *     filters are added
 * @param error largest share of new pairs that may be taken for known ones: {@value #LEAST_ERROR}
 *     to {@value #MOST_ERROR}
 */
public record FilterSize(long capacity, double error) {
  public static final long MOST_CAPACITY = 1_000_000_000;
  public static final double LEAST_ERROR = 0.000001;
  public static final double MOST_ERROR = 0.1;

  /** Size of a limit that has no filters. */
  public static final FilterSize NONE = new FilterSize(1, MOST_ERROR);

  /** Number of generations in a period. */
  public static final int GENERATIONS = 4;

  public FilterSize {
    if (capacity < 1 || capacity > MOST_CAPACITY) {
      throw new IllegalArgumentException("a capacity is 1 to 1000000000 pairs: " + capacity);
    }
    if (!(error >= LEAST_ERROR && error <= MOST_ERROR)) {
      throw new IllegalArgumentException("an error is 0.000001 to 0.1: " + error);
    }
  }

  /** Returns the size for one of several places, over which the pairs are spread evenly. */
  public FilterSize part(int parts) {
    return parts == 1 ? this : new FilterSize((capacity + parts - 1) / parts, error);
  }

  /** Returns the level of a generation's first filter, see {@link Strength}. */
  public int level() {
    return Strength.levelOf(error);
  }

  /** Returns the number of blocks of a generation's first filter. */
  public int blocks() {
    long ofGeneration = (capacity + GENERATIONS - 1) / GENERATIONS;
    long pairs = Strength.pairs(level());
    return (int) Math.min(Strength.MOST_BLOCKS, (ofGeneration + pairs - 1) / pairs);
  }

  /**
   * Returns the approximate size in bytes of all blocks for a full capacity, in all generations.
   */
  public long bytes() {
    // 1.25: pairs stay a quarter of a period longer. 1.18: further blocks for those that overflow.
    return Math.round(capacity * 1.25 * 1.18 * Block.BYTES / Strength.pairs(level()));
  }
}

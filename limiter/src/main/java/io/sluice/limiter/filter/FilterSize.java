package io.sluice.limiter.filter;

/**
 * Configured size of a limit's Bloom filters.
 *
 * @param capacity keys that are expected in a period: 1 to {@value #MOST_CAPACITY}; for more keys,
 *     filters are added
 * @param error largest share of new keys that may be taken for known ones: {@value #LEAST_ERROR} to
 *     {@value #MOST_ERROR}
 */
public record FilterSize(long capacity, double error) {
  public static final long MOST_CAPACITY = 1_000_000_000;
  public static final double LEAST_ERROR = 0.000001;
  public static final double MOST_ERROR = 0.1;

  /** Size for a limit that has no Bloom filters. */
  public static final FilterSize NONE = new FilterSize(1, MOST_ERROR);

  /**
   * Number of generations (groups of Bloom filters for the keys of a part of the period) in a
   * period.
   */
  public static final int GENERATIONS = 4;

  public FilterSize {
    if (capacity < 1 || capacity > MOST_CAPACITY) {
      throw new IllegalArgumentException("a capacity is 1 to 1000000000 pairs: " + capacity);
    }
    if (!(error >= LEAST_ERROR && error <= MOST_ERROR)) {
      throw new IllegalArgumentException("an error is 0.000001 to 0.1: " + error);
    }
  }

  /**
   * Returns the size of the filters in one of several stores, over which the limit's keys are
   * spread evenly.
   */
  public FilterSize part(int parts) {
    return parts == 1 ? this : new FilterSize((capacity + parts - 1) / parts, error);
  }

  /** Returns the error level of a generation's first Bloom filter, see {@link Strength}. */
  public int level() {
    return Strength.levelOf(error);
  }

  /** Returns the number of blocks of a generation's first Bloom filter. */
  public int blocks() {
    long ofGeneration = (capacity + GENERATIONS - 1) / GENERATIONS;
    long pairs = Strength.pairs(level());
    return (int) Math.min(Strength.MOST_BLOCKS, (ofGeneration + pairs - 1) / pairs);
  }

  /**
   * Returns the approximate size in bytes of all blocks in all generations, when the filters hold
   * as many keys as their capacity.
   */
  public long bytes() {
    // 1.25: keys stay for a period and a quarter. 1.18: further filters for the keys whose block in
    // the first filter is full.
    return Math.round(capacity * 1.25 * 1.18 * Block.BYTES / Strength.pairs(level()));
  }
}

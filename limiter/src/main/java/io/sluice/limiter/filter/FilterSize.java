package io.sluice.limiter.filter;

/**
 * The size of a limit's filters, as people choose it.
 *
 * @param capacity how many pairs are expected in a period: 1 to {@value #MOST_CAPACITY}; beyond it
 *     filters are added
 * @param error the largest share of new pairs that may be taken for known ones: {@value
 *     #LEAST_ERROR} to {@value #MOST_ERROR}
 */
public record FilterSize(long capacity, double error) {
  public static final long MOST_CAPACITY = 1_000_000_000;
  public static final double LEAST_ERROR = 0.000001;
  public static final double MOST_ERROR = 0.1;

  /** Of a limit that has no filters. */
  public static final FilterSize NONE = new FilterSize(1, MOST_ERROR);

  /** A period's pairs are in four generations. */
  public static final int GENERATIONS = 4;

  public FilterSize {
    if (capacity < 1 || capacity > MOST_CAPACITY) {
      throw new IllegalArgumentException("a capacity is 1 to 1000000000 pairs: " + capacity);
    }
    if (!(error >= LEAST_ERROR && error <= MOST_ERROR)) {
      throw new IllegalArgumentException("an error is 0.000001 to 0.1: " + error);
    }
  }

  /** The size where the pairs are spread evenly over so many places. */
  public FilterSize part(int parts) {
    return parts == 1 ? this : new FilterSize((capacity + parts - 1) / parts, error);
  }

  /** How strong the first filter of a generation is. */
  public int level() {
    return Strength.levelOf(error);
  }

  /** How many blocks the first filter of a generation has. */
  public int blocks() {
    long ofGeneration = (capacity + GENERATIONS - 1) / GENERATIONS;
    long pairs = Strength.pairs(level());
    return (int) Math.min(Strength.MOST_BLOCKS, (ofGeneration + pairs - 1) / pairs);
  }

  /** About how many bytes the blocks of so many pairs take, all generations together. */
  public long bytes() {
    // A quarter more is remembered than the pairs of a period; an eighth overflows to other blocks.
    return Math.round(capacity * 1.25 * 1.18 * Block.BYTES / Strength.pairs(level()));
  }
}

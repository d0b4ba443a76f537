package io.sluice.limiter.filter;

/**
 * Arithmetic of blocked Bloom filters: the number of keys in a block, and the number of bits that
 * each key sets.
 */
public final class Strength {
  /*
   * B. H. Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970. F. Putze, P.
   * Sanders, J. Singler, "Cache-, hash- and space-efficient Bloom filters", 2007: all bits of a key
   * are in one block, so one read is enough. P. S. Almeida, C. Baquero, N. Preguica, D. Hutchison,
   * "Scalable Bloom filters", 2007: when a filter is full, another filter with a smaller error is
   * added, so that the sum of all errors stays bounded.
   *
   * In a usual blocked filter, blocks that get too many keys spoil the error. In these filters,
   * each block counts its keys and takes only a fixed number: further keys go to the next filter,
   * which is searched only for keys whose block in the filter before is full. So the error of a
   * block is bounded, however the keys fall, and no block needs room for the worst case: a filter
   * is as large as its keys fill it on average, and the next filter, with an eighth as many blocks,
   * takes the overflow.
   *
   * A filter of level s with full blocks takes a new key for a known one with a probability of at
   * most 2^-s. For n keys with k bits each, anywhere in 496 bits, the probability is E[(X /
   * 496)^k], where X is the number of bits set by n * k throws; StrengthTest computes it exactly.
   * For each level, the tables have the largest number of keys that is possible with any k up to
   * 24, and that k.
   *
   * A generation is a group of filters for the keys of a quarter of a period. Its filters have the
   * levels s, s + 2, s + 4 and so on, so the sum of their errors is less than 4/3 of the first
   * error. A key is searched in five generations, and in a sixth while events are late at the
   * border between two generations. So with 2^-s <= error / 8, all filters together stay within 6 *
   * 4/3 / 8 = 1 of the configured error.
   */
  public static final int MOST_BITS = 24;
  public static final int MOST_BLOCKS = 1 << 24;

  /**
   * Largest number of filters in a generation. Together they take hundreds of times as many keys as
   * the first filter.
   */
  public static final int MOST_LAYERS = 12;

  private static final int SHARES = 8;
  private static final int LEAST_LEVEL = 7;

  private static final int[] PAIRS = {
    48, 42, 38, 34, 31, 28, 26, 24, 22, 21, 20, 18, 17, 17, 16, 15, 14, 14, 13, 13, 12, 12, 11, 11,
    10, 10, 9, 9, 9, 8, 8, 8, 8, 7, 7, 7, 6, 6, 6
  };
  private static final int[] BITS = {
    6, 7, 9, 9, 10, 10, 11, 12, 11, 13, 16, 13, 13, 19, 17, 17, 16, 20, 18, 23, 19, 24, 19, 23, 19,
    22, 19, 20, 23, 19, 21, 22, 24, 20, 22, 23, 19, 20, 21
  };

  private Strength() {}

  static int levelOf(double error) {
    return (int) Math.ceil(Math.log(SHARES / error) / Math.log(2));
  }

  /**
   * Returns the lowest error level in the tables of keys per block and bits per key, whose first
   * entries are for it.
   */
  public static int leastLevel() {
    return LEAST_LEVEL;
  }

  /** Returns the highest error level in the tables of keys per block and bits per key. */
  public static int mostLevel() {
    return LEAST_LEVEL + PAIRS.length - 1;
  }

  /** Returns the number of keys that a block of a filter with this error level takes. */
  public static int pairs(int level) {
    return PAIRS[level - LEAST_LEVEL];
  }

  /** Returns the number of bits that a key sets in a block of a filter with this error level. */
  public static int bits(int level) {
    return BITS[level - LEAST_LEVEL];
  }

  /**
   * Returns the error level of a generation's filter.
   *
   * @param first error level of the generation's first filter
   * @param layer number of the filter in the generation, from 0 on
   */
  static int level(int first, int layer) {
    return first + 2 * layer;
  }

  /**
   * Returns the number of blocks of a generation's filter.
   *
   * @param first number of blocks of the generation's first filter
   * @param layer number of the filter in the generation, from 0 on
   */
  static int blocks(int first, int layer) {
    if (layer == 0) return first;
    long blocks = Math.max(1, first / 8) * (1L << (layer - 1));
    return (int) Math.min(MOST_BLOCKS, blocks);
  }
}

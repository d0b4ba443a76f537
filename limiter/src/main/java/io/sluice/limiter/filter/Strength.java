package io.sluice.limiter.filter;

/**
 * Arithmetic of blocked Bloom filters: the number of pairs in a block and of bits for each pair.
 */
public final class Strength {
  /*
   * B. H. Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970. F. Putze, P.
   * Sanders, J. Singler, "Cache-, hash- and space-efficient Bloom filters", 2007: all bits of a
   * pair are in one block, so one read is enough. P. S. Almeida, C. Baquero, N. Preguica, D.
   * Hutchison, "Scalable Bloom filters", 2007: when a filter is full, another one with a smaller
   * error is added, so that the sum of all errors stays bounded.
   *
   * In a usual blocked filter, blocks that get too many pairs spoil the error. In these filters,
   * each block counts its pairs and takes only a fixed number: further pairs go to the next filter,
   * which is searched only where the block before is full. So the error of a block is bounded,
   * however pairs fall, and no block needs room for the worst case: a filter is as large as its
   * pairs fill it on average, and the next one, with an eighth as many blocks, takes the overflow.
   *
   * A filter of level s with full blocks takes a new pair for a known one with a probability of at
   * most 2^-s. For n pairs with k bits each, anywhere in 496 bits, the probability is E[(X /
   * 496)^k], where X is the number of bits set by n * k throws; StrengthTest computes it exactly.
   * For each level, the tables have the most pairs with any k up to 24, and that k.
   *
   * The filters of a generation have the levels s, s + 2, s + 4 and so on: in sum less than 4/3 of
   * the first. A pair is searched in five generations, and in a sixth while events are late at the
   * border of two. So with 2^-s <= error / 8, all together stay within 6 * 4/3 / 8 = 1 of the
   * error.
   */
  public static final int MOST_BITS = 24;
  public static final int MOST_BLOCKS = 1 << 24;

  /**
   * Most filters of a generation: together they take hundreds of times the pairs of the first one.
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

  /** Returns the lowest level of the tables, which is the level of their first entries. */
  public static int leastLevel() {
    return LEAST_LEVEL;
  }

  /** Returns the highest level of the tables. */
  public static int mostLevel() {
    return LEAST_LEVEL + PAIRS.length - 1;
  }

  /** Returns the number of pairs that a block of this level takes. */
  public static int pairs(int level) {
    return PAIRS[level - LEAST_LEVEL];
  }

  /** Returns the number of bits that a pair sets in a block of this level. */
  public static int bits(int level) {
    return BITS[level - LEAST_LEVEL];
  }

  /** Returns the level of a filter that is {@code layer} places behind the first one. */
  static int level(int first, int layer) {
    return first + 2 * layer;
  }

  /** Returns the number of blocks of that filter, if the first one has {@code first} blocks. */
  static int blocks(int first, int layer) {
    if (layer == 0) return first;
    long blocks = Math.max(1, first / 8) * (1L << (layer - 1));
    return (int) Math.min(MOST_BLOCKS, blocks);
  }
}

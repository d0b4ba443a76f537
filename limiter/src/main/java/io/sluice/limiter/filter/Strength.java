package io.sluice.limiter.filter;

/** The arithmetic of blocked Bloom filters: how many pairs a block takes, and bits each sets. */
public final class Strength {
  /*
   * B. H. Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970. F. Putze,
   * P. Sanders, J. Singler, "Cache-, hash- and space-efficient Bloom filters", 2007: all bits of a
   * pair are in one block, so that one read tells. P. S. Almeida, C. Baquero, N. Preguica,
   * D. Hutchison, "Scalable Bloom filters", 2007: when a filter is full another one is added, with
   * a smaller error, so that the sum of all stays bounded.
   *
   * In a blocked filter the blocks that many pairs fall into spoil the error. Here each block counts
   * its pairs and takes no more than so many: the next ones go to the filter behind it, which is
   * asked only where the block before is full. So the error of a block is bounded however pairs
   * fall, and no block needs room for the worst case: a filter is as large as its pairs fill it on
   * average, and one of an eighth as many blocks behind it takes what overflows.
   *
   * A filter of level s, its blocks full, takes a new pair for a known one with a probability of at
   * most 2^-s. That of n pairs with k bits each, put anywhere in 496 bits, is E[(X / 496)^k], where X
   * bits are set after n * k throws; StrengthTest computes it exactly. The tables have, for each
   * level, the most pairs of any k up to 24, and that k.
   *
   * The filters of a generation have the levels s, s + 2, s + 4 and so on, in sum less than 4/3 of
   * the first. A pair is looked for in five generations, and in a sixth while events are late at the
   * border of two. So with 2^-s <= error / 8 all together stay within 6 * 4/3 / 8 = 1 of the error.
   */
  public static final int MOST_BITS = 24;
  public static final int MOST_BLOCKS = 1 << 24;

  /** So many filters, one behind the other, take hundreds of times what the first one takes. */
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

  /** The lowest level of the tables; the lists below begin with it. */
  public static int leastLevel() {
    return LEAST_LEVEL;
  }

  /** The highest level of the tables. */
  public static int mostLevel() {
    return LEAST_LEVEL + PAIRS.length - 1;
  }

  /** How many pairs a block of this level takes. */
  public static int pairs(int level) {
    return PAIRS[level - LEAST_LEVEL];
  }

  /** How many bits a pair sets in it. */
  public static int bits(int level) {
    return BITS[level - LEAST_LEVEL];
  }

  /** The level of a filter that is so many behind the first, which has this one. */
  static int level(int first, int layer) {
    return first + 2 * layer;
  }

  /** How many blocks it has, where the first has so many. */
  static int blocks(int first, int layer) {
    if (layer == 0) return first;
    long blocks = Math.max(1, first / 8) * (1L << (layer - 1));
    return (int) Math.min(MOST_BLOCKS, blocks);
  }
}

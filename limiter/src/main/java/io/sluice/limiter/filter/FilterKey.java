package io.sluice.limiter.filter;

/**
 * Key of a limit in the form that Bloom filters use: its block in a filter of any size, and its
 * bits in that block.
 */
public final class FilterKey {
  /**
   * Number of hash bits that choose the block: their product with a number of blocks is exact in a
   * double.
   */
  private static final int SHARE_BITS = 28;

  private static final long GOLDEN = 0x9e3779b97f4a7c15L;
  private static final int POSITIONS_PER_WORD = 3;
  private static final int POSITION_BITS = 21;

  private final long first;
  private final long second;
  private final short[] positions = new short[Strength.MOST_BITS];

  /**
   * @param first one half of a hash that is hard to choose at will
   * @param second its other half
   */
  public FilterKey(long first, long second) {
    this.first = first;
    this.second = second;
    for (int i = 0; i < positions.length; i += POSITIONS_PER_WORD) {
      long word = word(i);
      for (int j = i; j < i + POSITIONS_PER_WORD; j++) {
        long digits = word & ((1 << POSITION_BITS) - 1);
        positions[j] = (short) ((digits * Block.BITS) >>> POSITION_BITS);
        word >>>= POSITION_BITS;
      }
    }
  }

  /**
   * Returns the hash word for the bits from the i-th on, without the hash bits that choose the
   * block.
   */
  private long word(int i) {
    return mixed(mixed((first << SHARE_BITS) + (i + 1) * GOLDEN) ^ second);
  }

  /** Murmur's finalizer, as in SplittableRandom. */
  private static long mixed(long word) {
    long z = (word ^ (word >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** Returns its share of all blocks, in 2^-28: 0 to 2^28 - 1. */
  public long share() {
    return first >>> (Long.SIZE - SHARE_BITS);
  }

  /** Returns the index of the byte of a block that has its i-th bit. */
  public int byteOf(int i) {
    return Block.FIRST + positions[i] / Byte.SIZE;
  }

  /** Returns the mask of its i-th bit in that byte. */
  public int bitOf(int i) {
    return 1 << (positions[i] % Byte.SIZE);
  }

  int block(int blocks) {
    return (int) ((share() * blocks) >>> SHARE_BITS);
  }
}

package io.sluice.limiter.filter;

/**
 * A pair as filters know it: which block is its own in a filter of any size, and its bits there.
 */
public final class Pair {
  /** The block is told by so many bits, so that their product with a number of blocks is exact. */
  private static final int SHARE_BITS = 28;

  private static final long GOLDEN = 0x9e3779b97f4a7c15L;
  private static final int POSITIONS_PER_WORD = 3;
  private static final int POSITION_BITS = 21;

  private final long first;
  private final long second;
  private final short[] positions = new short[Strength.MOST_BITS];

  /**
   * @param first half of a hash that nobody can make up at will
   * @param second its other half
   */
  public Pair(long first, long second) {
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

  /** The block's share of the hash is not used again. */
  private long word(int i) {
    return mixed(mixed((first << SHARE_BITS) + (i + 1) * GOLDEN) ^ second);
  }

  /** Murmur's finalizer, as in SplittableRandom. */
  private static long mixed(long word) {
    long z = (word ^ (word >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** Its place among all blocks, from 0 to 2^28 - 1. */
  public long share() {
    return first >>> (Long.SIZE - SHARE_BITS);
  }

  /** Which byte of a block has the bit that it sets as the i-th. */
  public int byteOf(int i) {
    return Block.FIRST + positions[i] / Byte.SIZE;
  }

  /** The bit in that byte. */
  public int bitOf(int i) {
    return 1 << (positions[i] % Byte.SIZE);
  }

  int block(int blocks) {
    return (int) ((share() * blocks) >>> SHARE_BITS);
  }
}

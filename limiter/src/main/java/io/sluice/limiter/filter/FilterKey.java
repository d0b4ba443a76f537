package io.sluice.limiter.filter;

/**
 * Key of a limit in the form that Bloom filters use: the part of a hash that selects the key's
 * block in a filter of any size, and the positions of the key's bits in that block.
 */
public final class FilterKey {
  /**
   * Number of hash bits that select the block. Their product with the number of blocks is below
   * 2^53, and so exact as a double.
   */
  private static final int SHARE_BITS = 28;

  private static final long GOLDEN = 0x9e3779b97f4a7c15L;
  private static final int POSITIONS_PER_WORD = 3;
  private static final int POSITION_BITS = 21;

  private final long first;
  private final long second;
  private final short[] positions = new short[Strength.MOST_BITS];

  /**
   * @param first one half of the key's 128-bit hash, whose value is hard to choose at will
   * @param second the other half of the hash
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
   * Returns the hash word that gives the positions of the key's i-th and following bits. It does
   * not contain the hash bits that select the block.
   */
  private long word(int i) {
    return mixed(mixed((first << SHARE_BITS) + (i + 1) * GOLDEN) ^ second);
  }

  /** Mixes the bits of a word by Murmur's finalizer, as SplittableRandom does. */
  private static long mixed(long word) {
    long z = (word ^ (word >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /**
   * Returns the hash bits that select the key's block in a filter, as a fraction of all blocks in
   * units of 2^-28: 0 to 2^28 - 1.
   */
  public long share() {
    return first >>> (Long.SIZE - SHARE_BITS);
  }

  /** Returns the index of the byte of a block that contains the key's i-th bit. */
  public int byteOf(int i) {
    return Block.FIRST + positions[i] / Byte.SIZE;
  }

  /** Returns the mask of the key's i-th bit in its byte of a block. */
  public int bitOf(int i) {
    return 1 << (positions[i] % Byte.SIZE);
  }

  int block(int blocks) {
    return (int) ((share() * blocks) >>> SHARE_BITS);
  }
}

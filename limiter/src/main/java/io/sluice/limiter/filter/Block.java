package io.sluice.limiter.filter;

import io.sluice.limiter.rows.StoredFormat;

/**
 * One cache line of a filter: a format, a count of pairs, and {@value #BITS} bits. What a row holds
 * is changed in a copy.
 */
final class Block {
  static final int BYTES = 64;
  static final int BITS = 8 * (BYTES - 2);
  private static final int COUNT = 1;

  /** The byte with the first bits. */
  static final int FIRST = 2;

  private final byte[] bytes;
  private final int level;

  private Block(byte[] bytes, int level) {
    this.bytes = bytes;
    this.level = level;
  }

  static Block empty(int level) {
    byte[] bytes = new byte[BYTES];
    bytes[0] = StoredFormat.VERSION;
    return new Block(bytes, level);
  }

  static Block read(byte[] bytes, int level) {
    StoredFormat.check(bytes, "a block of a filter");
    return new Block(bytes, level);
  }

  /** Whether it takes no more pairs: others of its place are in the filter behind. */
  boolean isFull() {
    return (bytes[COUNT] & 0xff) >= Strength.pairs(level);
  }

  boolean contains(Pair pair) {
    int bits = Strength.bits(level);
    for (int i = 0; i < bits; i++) {
      if ((bytes[pair.byteOf(i)] & pair.bitOf(i)) == 0) return false;
    }
    return true;
  }

  byte[] with(Pair pair) {
    byte[] more = bytes.clone();
    if (more[COUNT] != -1) more[COUNT]++; // only in the last filter of all, which takes any number
    int bits = Strength.bits(level);
    for (int i = 0; i < bits; i++) more[pair.byteOf(i)] |= (byte) pair.bitOf(i);
    return more;
  }
}

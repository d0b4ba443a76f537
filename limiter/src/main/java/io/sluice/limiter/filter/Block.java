package io.sluice.limiter.filter;

import io.sluice.limiter.rows.StoredFormat;

/**
 * Block of a Bloom filter, one cache line: a format byte, the count of the block's keys in one
 * byte, and {@value #BITS} bits. The stored bytes are never modified, only copied.
 */
final class Block {
  static final int BYTES = 64;
  static final int BITS = 8 * (BYTES - 2);
  private static final int COUNT = 1;

  /** Index of the first byte of a block that contains filter bits. */
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

  /** Whether the block takes no more keys; further keys go to the next filter of the generation. */
  boolean isFull() {
    return (bytes[COUNT] & 0xff) >= Strength.pairs(level);
  }

  boolean contains(FilterKey pair) {
    int bits = Strength.bits(level);
    for (int i = 0; i < bits; i++) {
      if ((bytes[pair.byteOf(i)] & pair.bitOf(i)) == 0) return false;
    }
    return true;
  }

  byte[] with(FilterKey pair) {
    byte[] more = bytes.clone();
    // The count stops at 255, which it reaches only in a generation's last filter, whose blocks
    // take any number of keys.
    if (more[COUNT] != -1) more[COUNT]++;
    int bits = Strength.bits(level);
    for (int i = 0; i < bits; i++) more[pair.byteOf(i)] |= (byte) pair.bitOf(i);
    return more;
  }
}

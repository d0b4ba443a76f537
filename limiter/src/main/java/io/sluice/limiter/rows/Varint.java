package io.sluice.limiter.rows;

/** Encoding of numbers as unsigned LEB128: seven bits a byte, the least significant first. */
final class Varint {
  private Varint() {}

  /** Writes a value at {@code offset}, and returns the offset after the value. */
  static int write(byte[] bytes, int offset, long value) {
    int at = offset;
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[at++] = (byte) rest;
    return at;
  }

  static long read(byte[] bytes, int offset) {
    long value = 0;
    int at = offset;
    for (int shift = 0; shift < 64; shift += 7) {
      byte next = bytes[at++];
      value |= (next & 0x7fL) << shift;
      if (next >= 0) return value;
    }
    throw new IllegalStateException("a varint has at most 10 bytes");
  }

  static int size(long value) {
    return Math.max(1, (70 - Long.numberOfLeadingZeros(value)) / 7);
  }
}

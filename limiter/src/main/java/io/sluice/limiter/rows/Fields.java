package io.sluice.limiter.rows;

import java.util.Arrays;

/** Reader or writer of the fields of a row's value: varints, one after another, and log entries. */
public final class Fields {
  private final byte[] bytes;
  private int offset;

  public Fields(byte[] bytes) {
    this.bytes = bytes;
  }

  public Fields(int mostBytes) {
    bytes = new byte[mostBytes];
  }

  public Fields add(long value) {
    offset = Varint.write(bytes, offset, value);
    return this;
  }

  public long next() {
    long value = Varint.read(bytes, offset);
    offset += Varint.size(value);
    return value;
  }

  /** Reads log entries of {@code size} bytes in all. They share the array of this reader. */
  LogEntries entries(long baseMicros, int size) {
    LogEntries entries = new LogEntries(baseMicros, bytes, offset, offset + size);
    offset += size;
    return entries;
  }

  public boolean isAtEnd() {
    return offset == bytes.length;
  }

  Fields add(LogEntries entries) {
    entries.copyTo(bytes, offset);
    offset += entries.size();
    return this;
  }

  /**
   * Writes a log entry whose instant is {@code sinceMicros} after that of the entry written before
   * it.
   */
  Fields addEntry(long sinceMicros, long cost, Fingerprint fingerprint) {
    offset = LogEntries.write(bytes, offset, sinceMicros, cost, false, fingerprint);
    return this;
  }

  public byte[] toArray() {
    return Arrays.copyOf(bytes, offset);
  }

  /** Encoding of numbers as unsigned LEB128: seven bits a byte, the least significant first. */
  static final class Varint {
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
}

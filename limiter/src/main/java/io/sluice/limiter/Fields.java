package io.sluice.limiter;

import java.util.Arrays;

/** A row's fields, one varint after another. */
final class Fields {
  private final byte[] bytes;
  private int offset;

  Fields(byte[] bytes) {
    this.bytes = bytes;
  }

  Fields(int mostBytes) {
    bytes = new byte[mostBytes];
  }

  Fields add(long value) {
    offset = Varint.write(bytes, offset, value);
    return this;
  }

  long next() {
    long value = Varint.read(bytes, offset);
    offset += Varint.size(value);
    return value;
  }

  int offset() {
    return offset;
  }

  byte[] toArray() {
    return Arrays.copyOf(bytes, offset);
  }

  /** The fields so far, then these entries. */
  byte[] toArray(LogEntries entries) {
    byte[] all = Arrays.copyOf(bytes, offset + entries.size());
    entries.copyTo(all, offset);
    return all;
  }
}

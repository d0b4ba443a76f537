package io.sluice.limiter.rows;

import java.util.Arrays;

/** Reader or writer of a row's fields, one varint after another. */
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

  /** Reads entries of {@code size} bytes. They share this array. */
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

  /** Writes an entry that is {@code sinceMicros} later than the last entry written before it. */
  Fields addEntry(long sinceMicros, long cost, Fingerprint fingerprint) {
    offset = LogEntries.write(bytes, offset, sinceMicros, cost, false, fingerprint);
    return this;
  }

  public byte[] toArray() {
    return Arrays.copyOf(bytes, offset);
  }
}

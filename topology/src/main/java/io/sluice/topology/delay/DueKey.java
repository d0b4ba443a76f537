package io.sluice.topology.delay;

import java.nio.ByteBuffer;
import org.apache.kafka.common.utils.Bytes;

/**
 * The order of delayed events: by the millisecond at which they are due, then by their offset in
 * the topic of delayed events, which is the order in which they were metered.
 */
final class DueKey {
  /** The length of a key without its prefix. */
  static final int LENGTH = 2 * Long.BYTES;

  /** Before every event. */
  static final Bytes FIRST = of(0, 0);

  /** After every event. */
  static final Bytes LAST = of(Long.MAX_VALUE, Long.MAX_VALUE);

  private DueKey() {}

  /** Big-endian, so that bytes sort as the numbers do, which are not negative. */
  static Bytes of(long dueMs, long offset) {
    return of(new byte[0], dueMs, offset);
  }

  /** The same, behind the prefix of a part of the store. */
  static Bytes of(byte[] prefix, long dueMs, long offset) {
    ByteBuffer key = ByteBuffer.allocate(prefix.length + LENGTH);
    return Bytes.wrap(key.put(prefix).putLong(dueMs).putLong(offset).array());
  }

  /** The last that is due by then. */
  static Bytes lastAt(long dueMs) {
    return of(dueMs, Long.MAX_VALUE);
  }

  static long dueMs(Bytes key) {
    return ByteBuffer.wrap(key.get()).getLong(prefixOf(key));
  }

  /** The offset, or the number that stands in for it. */
  static long offset(Bytes key) {
    return ByteBuffer.wrap(key.get()).getLong(prefixOf(key) + Long.BYTES);
  }

  private static int prefixOf(Bytes key) {
    return key.get().length - LENGTH;
  }
}

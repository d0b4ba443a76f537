package io.sluice.topology.delay;

import java.nio.ByteBuffer;
import org.apache.kafka.common.utils.Bytes;

/**
 * Store key of a delayed event, after the prefix of its range of keys (lane). Keys sort by the due
 * time in epoch milliseconds, then by a number: the offset in the topic of delayed events, or a
 * sequence number, both in the order in which events were metered.
 */
public final class DueKey {
  /** Number of bytes of a delayed event's key without the prefix of its key range. */
  static final int LENGTH = 2 * Long.BYTES;

  /** Smallest possible key of a delayed event, without the prefix of a key range. */
  static final Bytes FIRST = of(0, 0);

  /** Largest possible key of a delayed event, without the prefix of a key range. */
  static final Bytes LAST = of(Long.MAX_VALUE, Long.MAX_VALUE);

  private DueKey() {}

  /**
   * Returns the key of a delayed event without a prefix. Its numbers are not negative and are
   * written in big-endian order, so that keys sort like the numbers.
   */
  static Bytes of(long dueMs, long offset) {
    return of(new byte[0], dueMs, offset);
  }

  /** Returns the key of a delayed event: the prefix of a key range, the due time and a number. */
  static Bytes of(byte[] prefix, long dueMs, long offset) {
    ByteBuffer key = ByteBuffer.allocate(prefix.length + LENGTH);
    return Bytes.wrap(key.put(prefix).putLong(dueMs).putLong(offset).array());
  }

  /** Returns the largest possible key, without a prefix, of an event that is due at a time. */
  static Bytes lastAt(long dueMs) {
    return of(dueMs, Long.MAX_VALUE);
  }

  /** Returns the due time in a key, or the number in place of it. */
  public static long dueMs(Bytes key) {
    return ByteBuffer.wrap(key.get()).getLong(prefixOf(key));
  }

  /** Returns the offset in a key, or the sequence number in place of the offset. */
  static long offset(Bytes key) {
    return ByteBuffer.wrap(key.get()).getLong(prefixOf(key) + Long.BYTES);
  }

  private static int prefixOf(Bytes key) {
    return key.get().length - LENGTH;
  }
}

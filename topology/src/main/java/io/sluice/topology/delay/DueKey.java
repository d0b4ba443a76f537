package io.sluice.topology.delay;

import java.nio.ByteBuffer;
import org.apache.kafka.common.utils.Bytes;

/**
 * The order of delayed events: by the millisecond at which they are due, then by their offset in
 * the topic of delayed events, which is the order in which they were metered.
 */
final class DueKey {
  /** Before every event. */
  static final Bytes FIRST = of(0, 0);

  /** After every event. */
  static final Bytes LAST = of(Long.MAX_VALUE, Long.MAX_VALUE);

  private DueKey() {}

  /** Big-endian, so that bytes sort as the numbers do, which are not negative. */
  static Bytes of(long dueMs, long offset) {
    return Bytes.wrap(ByteBuffer.allocate(2 * Long.BYTES).putLong(dueMs).putLong(offset).array());
  }

  /** The last that is due by then. */
  static Bytes lastAt(long dueMs) {
    return of(dueMs, Long.MAX_VALUE);
  }

  /** The same event, due at another instant. */
  static Bytes postponed(Bytes key, long dueMs) {
    return of(dueMs, offset(key));
  }

  /** In the topic of delayed events. */
  static long offset(Bytes key) {
    return ByteBuffer.wrap(key.get()).getLong(Long.BYTES);
  }

  static long dueMs(Bytes key) {
    return ByteBuffer.wrap(key.get()).getLong();
  }
}

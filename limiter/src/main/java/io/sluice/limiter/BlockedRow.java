package io.sluice.limiter;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The row of a bucket that is, or was, blocked: until when, and then the row that it would be
 * otherwise. A release that knows no blocks refuses it as a row of another format.
 */
final class BlockedRow {
  private static final byte FORMAT = 'B';
  private static final int HEAD_BYTES = 1 + Long.BYTES;

  private BlockedRow() {}

  static boolean is(byte[] value) {
    return value[0] == FORMAT;
  }

  static byte[] of(byte[] value, long untilMicros) {
    byte[] plain = plain(value);
    return ByteBuffer.allocate(HEAD_BYTES + plain.length)
        .put(FORMAT)
        .putLong(untilMicros)
        .put(plain)
        .array();
  }

  /** The row without the block, if it has one. */
  static byte[] plain(byte[] value) {
    return is(value) ? Arrays.copyOfRange(value, HEAD_BYTES, value.length) : value;
  }

  /** When the block ends under this rule; 0 if there is none. */
  static long untilMicros(Rule rule, byte[] value) {
    return is(value) && rule.blocks() ? ByteBuffer.wrap(value).getLong(1) : 0;
  }
}

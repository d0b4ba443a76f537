package io.sluice.limiter.rows;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Row value of a bucket that is or was blocked: a format byte, the end of the block, then the value
 * without a block. A release that knows no blocks refuses such a row as an unknown format.
 */
public final class BlockedRow {
  private static final byte FORMAT = 'B';
  private static final int HEAD_BYTES = 1 + Long.BYTES;

  private BlockedRow() {}

  private static boolean is(byte[] value) {
    return value[0] == FORMAT;
  }

  public static byte[] of(byte[] value, long untilMicros) {
    byte[] plain = plain(value);
    return ByteBuffer.allocate(HEAD_BYTES + plain.length)
        .put(FORMAT)
        .putLong(untilMicros)
        .put(plain)
        .array();
  }

  /** Returns the row's value without the block, if it has one. */
  public static byte[] plain(byte[] value) {
    return is(value) ? Arrays.copyOfRange(value, HEAD_BYTES, value.length) : value;
  }

  /** Returns the end of the block in epoch microseconds; 0 if the row has no block. */
  public static long untilMicros(byte[] value) {
    return is(value) ? ByteBuffer.wrap(value).getLong(1) : 0;
  }
}

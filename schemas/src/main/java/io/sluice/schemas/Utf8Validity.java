package io.sluice.schemas;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Checks that bytes are well-formed UTF-8, without creating a string. */
final class Utf8Validity {
  /*
   * Rules of Unicode, table 3-7. The second byte of a sequence is 80..BF, but has a narrower range
   * after the first bytes that could otherwise give an overlong form (E0, F0), a surrogate (ED) or
   * a value above U+10FFFF (F4). All later bytes are 80..BF. 80..C1 and F5..FF cannot be first
   * bytes.
   */

  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

  private Utf8Validity() {}

  static boolean holds(byte[] bytes, int from, int to) {
    int next = skipAsciiInEights(bytes, from, to);
    while (next < to) {
      int length = bytes[next] >= 0 ? 1 : sequenceLength(bytes, next, to);
      if (length == 0) {
        return false;
      }
      next += length;
    }
    return true;
  }

  private static int skipAsciiInEights(byte[] bytes, int from, int to) {
    int next = from;
    while (next <= to - Long.BYTES && ((long) EIGHT_BYTES.get(bytes, next) & HIGH_BITS) == 0) {
      next += Long.BYTES;
    }
    return next;
  }

  /**
   * Returns the length in bytes of the well-formed sequence of several bytes that starts at this
   * index; 0 if no such sequence starts there.
   */
  private static int sequenceLength(byte[] bytes, int start, int to) {
    int lead = bytes[start] & 0xff;
    int length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (length == 0 || length > to - start) {
      return 0;
    }
    int second = bytes[start + 1] & 0xff;
    if (second < lowestSecond(lead) || second > highestSecond(lead)) {
      return 0;
    }
    for (int i = start + 2; i < start + length; i++) {
      if ((bytes[i] & 0xc0) != 0x80) {
        return 0;
      }
    }
    return length;
  }

  private static int lowestSecond(int lead) {
    return lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  }

  private static int highestSecond(int lead) {
    return lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  }
}

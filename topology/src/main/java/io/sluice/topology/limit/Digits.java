package io.sluice.topology.limit;

import java.nio.charset.StandardCharsets;

/** Numbers as text, in bytes. */
final class Digits {
  private Digits() {}

  /** The same bytes as the text's, without the text: every event has two or three of these. */
  static byte[] of(long number) {
    if (number < 0) return Long.toString(number).getBytes(StandardCharsets.UTF_8);
    int length = 1;
    for (long rest = number / 10; rest > 0; rest /= 10) length++;
    byte[] digits = new byte[length];
    long rest = number;
    for (int i = length - 1; i >= 0; i--) {
      digits[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return digits;
  }
}

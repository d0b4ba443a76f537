package io.sluice.rules.limit;

import java.nio.charset.StandardCharsets;

/** Formats numbers as bytes of text. */
final class Digits {
  private Digits() {}

  /**
   * Returns the bytes of a number's text without making the text: every event has two or three
   * numbers.
   */
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

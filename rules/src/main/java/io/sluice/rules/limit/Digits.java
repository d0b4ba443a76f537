package io.sluice.rules.limit;

import java.nio.charset.StandardCharsets;

/** Formats whole numbers as bytes of decimal text. */
final class Digits {
  private Digits() {}

  /**
   * Returns the decimal digits of a number as bytes, without creating a string, because every event
   * gets two or three headers with numbers.
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

package io.sluice.schemas;

import java.time.DateTimeException;
import java.time.Instant;

/** Converts the forms in which records give a time to milliseconds since the epoch. */
public final class EpochMillis {
  private EpochMillis() {}

  /**
   * Converts a text in ISO-8601 with an offset: 2026-11-21T09:00:00Z, 2026-11-21T10:00:00.5+01:00.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static long ofText(String text) {
    try {
      return Instant.parse(text).toEpochMilli();
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException("not a time in ISO-8601, such as 2026-11-21T09:00:00Z", e);
    }
  }

  /**
   * Converts a time since the epoch in a smaller unit, of which {@code perMilli} are a millisecond;
   * rounds down.
   */
  static long ofNumber(long number, long perMilli) {
    return Math.floorDiv(number, perMilli);
  }
}

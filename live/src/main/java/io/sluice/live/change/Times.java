package io.sluice.live.change;

import io.sluice.limiter.Quota;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;

/** Parser of times that users write. */
final class Times {
  /** Time that all instances need to read a change before it takes effect, in milliseconds. */
  static final long LEAD_MS = 2_000;

  private static final String ACCEPTED =
      ": a time is ISO-8601 with an offset, such as 2026-11-27T09:00:00Z, in the years 1970 to 2200,"
          + " or now, or a period from now such as +10m or -5m";
  private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

  private Times() {}

  /**
   * Parses a time, and returns it in epoch milliseconds.
   *
   * @throws InvalidChangeException that says what is accepted
   */
  static long read(String option, String text, long nowMs) {
    try {
      Instant time = read(text.strip(), Instant.ofEpochMilli(nowMs));
      if (!time.isBefore(Instant.EPOCH) && time.isBefore(LATEST)) return time.toEpochMilli();
    } catch (DateTimeException | ArithmeticException | IllegalArgumentException e) {
      throw wrong(option, text);
    }
    throw wrong(option, text);
  }

  private static Instant read(String text, Instant now) {
    if (text.equals("now")) return now;
    if (text.startsWith("+")) return now.plus(period(text));
    if (text.startsWith("-")) return now.minus(period(text));
    return OffsetDateTime.parse(text).toInstant();
  }

  private static Duration period(String text) {
    Duration period = Quota.parsePeriod(text.substring(1));
    if (period.isNegative()) throw new IllegalArgumentException("one sign is enough: " + text);
    return period;
  }

  private static InvalidChangeException wrong(String option, String text) {
    return new InvalidChangeException(option + " " + RevisionFormatter.plain(text) + ACCEPTED);
  }
}

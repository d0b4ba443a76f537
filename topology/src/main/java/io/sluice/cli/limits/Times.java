package io.sluice.cli.limits;

import io.sluice.limiter.Quota;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;

/** Times as people write and read them at a terminal. */
public final class Times {
  /** So that instances have read a change before it takes effect. */
  static final long LEAD_MS = 2_000;

  private static final String ACCEPTED =
      ": a time is ISO-8601 with an offset, such as 2026-11-27T09:00:00Z, in the years 1970 to 2200,"
          + " or now, or a period from now such as +10m or -5m";
  private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

  private Times() {}

  /**
   * A time in epoch milliseconds.
   *
   * @throws MistakenException saying what is accepted
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

  private static MistakenException wrong(String option, String text) {
    return new MistakenException(option + " " + Words.plain(text) + ACCEPTED);
  }

  /** In UTC, with milliseconds where there are any. */
  public static String show(long ms) {
    return Instant.ofEpochMilli(ms).toString();
  }

  /** A few milliseconds, or seconds with a tenth, or whole ones, up to days. */
  public static String showPeriod(long ms) {
    if (ms < 1_000) return ms + " ms";
    if (ms < 60_000) return ms / 1_000 + "." + ms % 1_000 / 100 + " s";
    if (ms < 7_200_000) return ms / 60_000 + " min";
    if (ms < 172_800_000) return ms / 3_600_000 + " h";
    return ms / 86_400_000 + " d";
  }
}

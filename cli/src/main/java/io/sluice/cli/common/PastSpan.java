package io.sluice.cli.common;

import io.sluice.limiter.Quota;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;

/**
 * Time span of the records that a command reads from Kafka.
 *
 * @param from start, inclusive
 * @param to end, exclusive; {@link #NO_END} to read up to the last record
 */
public record PastSpan(Instant from, Instant to) {
  public static final Instant NO_END = Instant.MAX;

  private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");
  private static final String ACCEPTED =
      ": a time is ISO-8601 with an offset, such as 2026-11-21T09:00:00Z, in the years 1970 to 2200,"
          + " or now, or a period ago such as -2h";

  public PastSpan {
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException("--to " + to + " must be after the beginning, " + from);
    }
  }

  /**
   * Parses the options {@code --since}, {@code --from} and {@code --to}; null stands for an absent
   * option.
   *
   * @throws IllegalArgumentException if the options are invalid; the message names valid values
   */
  public static PastSpan of(String since, String from, String to, Instant now) {
    if (since == null && from == null) {
      throw new IllegalArgumentException("--to needs --since or --from for the beginning");
    }
    if (since != null && from != null) {
      throw new IllegalArgumentException("--since and --from exclude each other: give one of them");
    }
    Instant begin = since == null ? time("--from", from, now) : ago("--since", since, now);
    if (!begin.isBefore(now)) {
      String given = since == null ? "--from " + from : "--since " + since;
      throw new IllegalArgumentException(given + " must be in the past, and is " + begin);
    }
    return new PastSpan(begin, to == null ? NO_END : time("--to", to, now));
  }

  /**
   * Parses the beginning in an option that takes a period or a time.
   *
   * @throws IllegalArgumentException if the text is neither; the message names valid values
   */
  public static Instant begin(String option, String text, Instant now) {
    Instant begin = isPeriod(text) ? ago(option, text, now) : time(option, text, now);
    if (begin.isBefore(now)) return begin;
    throw new IllegalArgumentException(option + " " + text + " must be in the past");
  }

  private static boolean isPeriod(String text) {
    try {
      Quota.parsePeriod(text);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static Instant time(String option, String text, Instant now) {
    if (text.equals("now")) return now;
    if (text.startsWith("-")) return ago(option, text.substring(1), now);
    try {
      Instant time = OffsetDateTime.parse(text).toInstant();
      if (!time.isBefore(Instant.EPOCH) && time.isBefore(LATEST)) return time;
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(option + " " + text + ACCEPTED, e);
    }
    throw new IllegalArgumentException(option + " " + text + ACCEPTED);
  }

  /** Returns the time one period before now, but not before 1970. */
  private static Instant ago(String option, String text, Instant now) {
    try {
      Duration period = Quota.parsePeriod(text);
      Duration most = Duration.between(Instant.EPOCH, now);
      return period.compareTo(most) < 0 ? now.minus(period) : Instant.EPOCH;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException(option + " " + text + ACCEPTED, e);
    }
  }
}

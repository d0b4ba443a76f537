package io.sluice.limiter;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Amount that a key may use: {@code permits} per period, sustained, and {@code burst} at once if
 * the algorithm has a burst. A sliding window has no burst: all its permits may come at once.
 *
 * @param permits permits per period, 1 to {@value #MOST_PERMITS}
 * @param periodMicros length of the period in microseconds, 1 ms to 3,660 days; for calendar
 *     periods, whose lengths differ, {@link CalendarUnit#periodMicros}
 * @param burst permits that may come at once, 1 to {@value #MOST_PERMITS}; at the quota's rate, a
 *     burst must drain within 3,660 days
 * @param unit calendar unit of the periods; {@link CalendarUnit#NONE} for periods of a fixed length
 */
public record Quota(long permits, long periodMicros, long burst, CalendarUnit unit) {
  /**
   * Largest number of permits, 2^31: the product of a cost and the remainder of a division by the
   * permits then stays below 2^62, so no product overflows.
   */
  public static final long MOST_PERMITS = 1L << 31;

  static final long LEAST_PERIOD_MICROS = 1_000;
  static final long MOST_PERIOD_MICROS = Duration.ofDays(3660).toMillis() * 1_000;

  private static final String PERIODS =
      "a period is 500ms, 60s, 10m, 1h, 1d or ISO-8601 such as PT1M";
  private static final String PERIODS_OF_QUOTAS =
      "a quota's period is 500ms, 60s, 10m, 1h, 1d, ISO-8601 such as PT1M, or hour, day, week,"
          + " month or year";
  private static final Pattern FORM = Pattern.compile("([0-9][0-9_,]*)\\s*/\\s*(\\S+)");
  private static final Pattern SHORT_PERIOD = Pattern.compile("([0-9]+)(ms|s|m|h|d)");

  public Quota {
    require(permits >= 1 && permits <= MOST_PERMITS, "permits must be 1 to 2147483648: " + permits);
    require(burst >= 1 && burst <= MOST_PERMITS, "burst must be 1 to 2147483648: " + burst);
    require(
        periodMicros >= LEAST_PERIOD_MICROS && periodMicros <= MOST_PERIOD_MICROS,
        "period must be 1ms to 3660d: " + periodMicros + " microseconds");
    require(
        unit == CalendarUnit.NONE || periodMicros == unit.periodMicros(),
        "the period does not fit the unit " + unit + ": " + periodMicros + " microseconds");
    require(
        Exact.productFits(burst, periodMicros, permits, MOST_PERIOD_MICROS),
        "a burst of " + burst + " takes more than 3660d to drain at this rate");
  }

  /** Creates a quota with a period of fixed length. */
  public Quota(long permits, long periodMicros, long burst) {
    this(permits, periodMicros, burst, CalendarUnit.NONE);
  }

  /** Returns a quota for the periods of a calendar, such as 1000 a month. */
  public static Quota of(long permits, CalendarUnit unit) {
    return new Quota(permits, unit.periodMicros(), permits, unit);
  }

  /** Returns a quota of this many permits per period, with a burst of all its permits. */
  public static Quota of(long permits, Duration period) {
    return new Quota(permits, toMicros(period), permits);
  }

  /**
   * Reads {@code permits/period}, such as {@code 5/60s}, {@code 1_000_000/1h} or {@code 30/PT1M},
   * or {@code permits/unit} of the calendar: {@code hour}, {@code day}, {@code week}, {@code month}
   * or {@code year}.
   *
   * @throws IllegalArgumentException if the text is not a quota; the message says why
   */
  public static Quota parse(String text) {
    Matcher form = FORM.matcher(text.trim());
    require(form.matches(), "a quota is permits/period, such as 5/60s: " + text);
    long permits = parsePermits(form.group(1));
    String period = form.group(2);
    return CalendarUnit.named(period)
        .map(unit -> of(permits, unit))
        .orElseGet(() -> of(permits, parsePeriod(period, PERIODS_OF_QUOTAS)));
  }

  /** Reads a whole number of permits, whose digits may be grouped by {@code _} or {@code ,}. */
  public static long parsePermits(String text) {
    String digits = text.trim().replaceAll("[_,]", "");
    require(digits.matches("[0-9]+"), "permits must be a whole number: " + text);
    require(digits.length() <= 18, "permits must be 1 to 2147483648: " + text);
    return Long.parseLong(digits);
  }

  /**
   * Reads a period: {@code 500ms}, {@code 60s}, {@code 10m}, {@code 1h}, {@code 1d} or an ISO-8601
   * duration.
   */
  public static Duration parsePeriod(String text) {
    return parsePeriod(text, PERIODS);
  }

  private static Duration parsePeriod(String text, String problem) {
    Matcher form = SHORT_PERIOD.matcher(text.trim());
    try {
      if (!form.matches()) return Duration.parse(text.trim().toUpperCase(Locale.ROOT));
      long amount = Long.parseLong(form.group(1));
      return switch (form.group(2)) {
        case "ms" -> Duration.ofMillis(amount);
        case "s" -> Duration.ofSeconds(amount);
        case "m" -> Duration.ofMinutes(amount);
        case "h" -> Duration.ofHours(amount);
        default -> Duration.ofDays(amount);
      };
    } catch (DateTimeParseException | ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException(problem + ": " + text, e);
    }
  }

  /** Returns this quota with another burst. */
  public Quota withBurst(long newBurst) {
    return new Quota(permits, periodMicros, newBurst, unit);
  }

  /** Whether both quotas have the same periods: equal length and equal calendar unit. */
  boolean hasPeriodsOf(Quota other) {
    return periodMicros == other.periodMicros && unit == other.unit;
  }

  public Duration period() {
    return Duration.ofNanos(periodMicros * 1_000);
  }

  private static long toMicros(Duration period) {
    boolean sane =
        period.compareTo(Duration.ofMillis(1)) >= 0 && period.compareTo(Duration.ofDays(3660)) <= 0;
    require(sane, "period must be 1ms to 3660d: " + period);
    require(period.toNanos() % 1_000 == 0, "period must be whole microseconds: " + period);
    return period.toNanos() / 1_000;
  }

  private static void require(boolean condition, String message) {
    if (!condition) throw new IllegalArgumentException(message);
  }
}

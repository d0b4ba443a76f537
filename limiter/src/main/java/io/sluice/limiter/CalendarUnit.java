package io.sluice.limiter;

import static java.time.temporal.TemporalAdjusters.previousOrSame;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Unit of a calendar's periods. Weeks begin on Monday. */
public enum CalendarUnit {
  /** No calendar: periods have a fixed length and are counted from the epoch. */
  NONE(0, ChronoUnit.FOREVER),
  HOUR(1, ChronoUnit.HOURS),
  DAY(24, ChronoUnit.DAYS),
  WEEK(7 * 24, ChronoUnit.WEEKS),
  MONTH(31 * 24, ChronoUnit.MONTHS),
  YEAR(366 * 24, ChronoUnit.YEARS);

  /*
   * A day, or a unit made of days, begins at the first instant that has its date. If a clock is put
   * back over midnight, the minutes that show the old date again belong to the new day. An hour
   * ends where the clock is put forward or back: an hour that comes twice counts as two.
   */
  private static final long SECOND_MICROS = 1_000_000;

  private final long periodMicros;
  private final ChronoUnit unit;

  CalendarUnit(long hours, ChronoUnit unit) {
    periodMicros = Duration.ofHours(hours).toSeconds() * SECOND_MICROS;
    this.unit = unit;
  }

  /** Returns the unit with this name, such as {@code day}; empty if there is none. */
  static Optional<CalendarUnit> named(String name) {
    return Arrays.stream(values())
        .filter(each -> each != NONE && each.title().equals(name))
        .findFirst();
  }

  /** Returns the name in plain text, such as {@code day}. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the length of the longest such period without a change of the clocks, in microseconds:
   * of a month, 31 days.
   */
  public long periodMicros() {
    return periodMicros;
  }

  /**
   * Returns the end of the period that contains an instant: the first instant of the next period.
   */
  long endMicros(long micros, ZoneId zone) {
    Instant instant = Instant.ofEpochSecond(micros / SECOND_MICROS);
    Instant end = this == HOUR ? endOfHour(instant, zone) : endOfDays(instant, zone);
    return end.getEpochSecond() * SECOND_MICROS;
  }

  private static Instant endOfHour(Instant instant, ZoneId zone) {
    ZoneOffset offset = zone.getRules().getOffset(instant);
    LocalDateTime local = LocalDateTime.ofInstant(instant, offset).truncatedTo(ChronoUnit.HOURS);
    Instant end = local.plusHours(1).toInstant(offset);
    ZoneOffsetTransition change = zone.getRules().nextTransition(instant);
    return change != null && change.getInstant().isBefore(end) ? change.getInstant() : end;
  }

  private Instant endOfDays(Instant instant, ZoneId zone) {
    LocalDate next = firstDay(LocalDate.ofInstant(instant, zone)).plus(1, unit);
    while (true) {
      Instant begins = next.atStartOfDay(zone).toInstant();
      if (begins.isAfter(instant)) return begins;
      next = next.plus(1, unit);
    }
  }

  private LocalDate firstDay(LocalDate date) {
    return switch (this) {
      case WEEK -> date.with(previousOrSame(DayOfWeek.MONDAY));
      case MONTH -> date.withDayOfMonth(1);
      case YEAR -> date.withDayOfYear(1);
      default -> date;
    };
  }
}

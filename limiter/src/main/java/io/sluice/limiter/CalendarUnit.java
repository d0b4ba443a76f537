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

/** Calendar unit of a quota's periods. Weeks begin on Monday. */
public enum CalendarUnit {
  /** No calendar: periods have a fixed length and are counted from the epoch. */
  NONE(0, ChronoUnit.FOREVER),
  HOUR(1, ChronoUnit.HOURS),
  DAY(24, ChronoUnit.DAYS),
  WEEK(7 * 24, ChronoUnit.WEEKS),
  MONTH(31 * 24, ChronoUnit.MONTHS),
  YEAR(366 * 24, ChronoUnit.YEARS);

  /*
   * In a time zone, a day, week, month or year begins at the first instant of its first date. If
   * the zone's clock is put back over midnight, the minutes that show the old date again belong to
   * the new day. An hour also ends at an instant at which the clock is put forward or back, so an
   * hour that occurs twice counts as two hours.
   */
  private static final long SECOND_MICROS = 1_000_000;

  private final long periodMicros;
  private final ChronoUnit unit;

  CalendarUnit(long hours, ChronoUnit unit) {
    periodMicros = Duration.ofHours(hours).toSeconds() * SECOND_MICROS;
    this.unit = unit;
  }

  /**
   * Returns the calendar unit with this lower-case name, such as {@code day}; empty if no unit has
   * the name.
   */
  static Optional<CalendarUnit> named(String name) {
    return Arrays.stream(values())
        .filter(each -> each != NONE && each.title().equals(name))
        .findFirst();
  }

  /** Returns the unit's name in lower case, such as {@code day}. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the length, in microseconds, of the unit's longest period in a zone whose clock never
   * changes: 31 days for a month.
   */
  public long periodMicros() {
    return periodMicros;
  }

  /**
   * Returns the end, in epoch microseconds, of the period that contains an instant: the first
   * instant of the next period.
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

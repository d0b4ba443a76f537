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

/** A whole period of the calendar. Weeks begin on Monday. */
public enum CalendarUnit {
  /** None: periods have a fixed length, and are counted from the epoch on. */
  NONE(0, ChronoUnit.FOREVER),
  HOUR(1, ChronoUnit.HOURS),
  DAY(24, ChronoUnit.DAYS),
  WEEK(7 * 24, ChronoUnit.WEEKS),
  MONTH(31 * 24, ChronoUnit.MONTHS),
  YEAR(366 * 24, ChronoUnit.YEARS);

  /*
   * A day, and what is made of days, begins with the first instant that has its date. So the
   * minutes in which a clock that was put back over midnight shows the old date again are of the
   * new day. An hour ends where the clock is put forward or back: one that comes twice is two.
   */
  private static final long SECOND_MICROS = 1_000_000;

  private final long periodMicros;
  private final ChronoUnit unit;

  CalendarUnit(long hours, ChronoUnit unit) {
    periodMicros = Duration.ofHours(hours).toSeconds() * SECOND_MICROS;
    this.unit = unit;
  }

  /** The unit of this name, such as {@code day}, if there is one. */
  static Optional<CalendarUnit> named(String name) {
    return Arrays.stream(values())
        .filter(each -> each != NONE && each.title().equals(name))
        .findFirst();
  }

  /** Its name in plain text, such as {@code day}. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Its length, the longest that it has without a change of the clocks: of a month, 31 days. */
  public long periodMicros() {
    return periodMicros;
  }

  /** The end of the period that an instant is in: the first instant of the next one. */
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

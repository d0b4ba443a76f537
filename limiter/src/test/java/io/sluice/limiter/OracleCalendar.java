package io.sluice.limiter;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;

/**
 * Reference for the ends of calendar periods: searches the first instant at which clock and
 * calendar show another period.
 */
final class OracleCalendar {
  private OracleCalendar() {}

  static long end(CalendarUnit unit, ZoneId zone, long periodMicros, long micros) {
    if (unit == CalendarUnit.NONE) return (micros / periodMicros + 1) * periodMicros;
    ZonedDateTime now = at(micros / 1_000_000, zone);
    if (unit == CalendarUnit.HOUR) {
      OffsetDateTime hour = hour(now);
      return first(micros, t -> !hour(at(t, zone)).equals(hour));
    }
    LocalDate day = firstDay(unit, now);
    return first(micros, t -> firstDay(unit, at(t, zone)).isAfter(day));
  }

  private static long first(long micros, java.util.function.LongPredicate later) {
    return Oracle.firstFrom(micros / 1_000_000, later) * 1_000_000;
  }

  private static ZonedDateTime at(long second, ZoneId zone) {
    return Instant.ofEpochSecond(second).atZone(zone);
  }

  /** Keeps the offset, so that an hour that comes twice counts as two. */
  private static OffsetDateTime hour(ZonedDateTime time) {
    return time.toOffsetDateTime().truncatedTo(ChronoUnit.HOURS);
  }

  private static LocalDate firstDay(CalendarUnit unit, ZonedDateTime time) {
    LocalDate day = time.toLocalDate();
    return switch (unit) {
      case WEEK -> {
        while (day.getDayOfWeek() != DayOfWeek.MONDAY) day = day.minusDays(1);
        yield day;
      }
      case MONTH -> LocalDate.of(day.getYear(), day.getMonth(), 1);
      case YEAR -> LocalDate.of(day.getYear(), 1, 1);
      default -> day;
    };
  }
}

package io.sluice.limiter;

import static io.sluice.limiter.CalendarUnit.DAY;
import static io.sluice.limiter.CalendarUnit.HOUR;
import static io.sluice.limiter.CalendarUnit.MONTH;
import static io.sluice.limiter.CalendarUnit.WEEK;
import static io.sluice.limiter.CalendarUnit.YEAR;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.TestScale;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CalendarUnitTest {
  private static final int INSTANTS = TestScale.of(4_000, 1_000_000);

  private static final List<ZoneId> ZONES =
      List.of("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu")
          .stream()
          .map(ZoneId::of)
          .toList();

  private static long micros(String instant) {
    return Instant.parse(instant).getEpochSecond() * 1_000_000;
  }

  private static String end(CalendarUnit unit, String zone, String instant) {
    long end = unit.endMicros(micros(instant), ZoneId.of(zone));
    return Instant.ofEpochSecond(end / 1_000_000).toString();
  }

  /** Compares 4,000 instants of each unit with the oracle, or a million at full scale. */
  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void endsAreWhereClockAndCalendarShowAnotherPeriod(CalendarUnit unit) {
    SplittableRandom random = new SplittableRandom(TestScale.seed());
    for (int i = 0; i < INSTANTS; i++) {
      ZoneId zone = ZONES.get(i % ZONES.size());
      long micros = random.nextLong(Arrival.LATEST_MICROS);
      assertThat(unit.endMicros(micros, zone))
          .as("seed %d, the %s of %d in %s", TestScale.seed(), unit, micros, zone)
          .isEqualTo(OracleCalendar.end(unit, zone, 0, micros));
    }
  }

  /** Compares instants within two hours of each change of the clocks, some to the microsecond. */
  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void endsAreRightAroundEveryChangeOfTheClocks(CalendarUnit unit) {
    SplittableRandom random = new SplittableRandom(TestScale.seed());
    for (ZoneId zone : ZONES) {
      for (long change : changes(zone, "2020-01-01T00:00:00Z")) {
        for (int i = 0; i < 40; i++) {
          long micros = change + random.nextLong(-7_200_000_000L, 7_200_000_000L);
          if (i < 3) micros = change - 1 + i;
          assertThat(unit.endMicros(micros, zone))
              .as("seed %d, the %s of %d in %s", TestScale.seed(), unit, micros, zone)
              .isEqualTo(OracleCalendar.end(unit, zone, 0, micros));
        }
      }
    }
  }

  /** Returns the next ten changes of the clocks, which are those of five years. */
  private static List<Long> changes(ZoneId zone, String from) {
    List<Long> changes = new ArrayList<>();
    Instant at = Instant.parse(from);
    for (int i = 0; i < 10 && zone.getRules().nextTransition(at) != null; i++) {
      at = zone.getRules().nextTransition(at).getInstant();
      changes.add(at.getEpochSecond() * 1_000_000);
    }
    return changes;
  }

  @ParameterizedTest
  @CsvSource({
    "Europe/Berlin,       2026-03-29, 23",
    "Europe/Berlin,       2026-10-25, 25",
    "America/New_York,    2026-03-08, 23",
    "America/New_York,    2026-11-01, 25",
    "Australia/Sydney,    2026-10-04, 23",
    "Australia/Sydney,    2026-04-05, 25",
    "Asia/Kolkata,        2026-03-29, 24"
  })
  void aDayIsAsLongAsItIs(String zone, String date, int hours) {
    long begins =
        LocalDateTime.parse(date + "T00:00").atZone(ZoneId.of(zone)).toEpochSecond() * 1_000_000;
    long end = begins + hours * 3_600_000_000L;
    assertThat(DAY.endMicros(begins, ZoneId.of(zone))).isEqualTo(end);
    assertThat(DAY.endMicros(end - 1, ZoneId.of(zone))).isEqualTo(end);
    assertThat(DAY.endMicros(begins - 1, ZoneId.of(zone))).isEqualTo(begins);
    int periods = 0;
    for (long at = begins; at < end; at = HOUR.endMicros(at, ZoneId.of(zone))) periods++;
    assertThat(periods).as("an hour that comes twice is two").isEqualTo(hours);
  }

  @Test
  void anHourIsTheZonesAndEndsWhereTheClockIsPutBack() {
    assertThat(end(HOUR, "Asia/Kolkata", "2026-01-01T00:29:59Z")).isEqualTo("2026-01-01T00:30:00Z");
    // At 2 o'clock the clock goes back to half past one, so another half of an hour follows.
    assertThat(end(HOUR, "Australia/Lord_Howe", "2026-04-04T14:59:59Z"))
        .isEqualTo("2026-04-04T15:00:00Z");
    assertThat(end(HOUR, "Australia/Lord_Howe", "2026-04-04T15:00:00Z"))
        .isEqualTo("2026-04-04T15:30:00Z");
  }

  /** Until 2011, Newfoundland's clocks went back at one minute past midnight. */
  @Test
  void aDayBeginsOnceThoughItsFirstMinuteComesTwice() {
    String zone = "America/St_Johns";
    assertThat(end(DAY, zone, "2010-11-07T02:29:59Z")).isEqualTo("2010-11-07T02:30:00Z");
    for (String each : List.of("02:30:00", "02:30:59", "02:31:00", "03:29:59", "03:30:00")) {
      assertThat(end(DAY, zone, "2010-11-07T" + each + "Z")).isEqualTo("2010-11-08T03:30:00Z");
    }
  }

  @Test
  void aDayThatAPlaceHasSkippedIsNoPeriod() {
    String zone = "Pacific/Apia";
    assertThat(end(DAY, zone, "2011-12-30T09:59:59Z")).isEqualTo("2011-12-30T10:00:00Z");
    assertThat(end(DAY, zone, "2011-12-30T10:00:00Z")).isEqualTo("2011-12-31T10:00:00Z");
  }

  @Test
  void monthsWeeksAndYearsAreThoseOfTheCalendar() {
    assertThat(end(MONTH, "UTC", "2028-02-10T00:00:00Z")).isEqualTo("2028-03-01T00:00:00Z");
    assertThat(end(MONTH, "UTC", "2028-02-29T23:59:59Z")).isEqualTo("2028-03-01T00:00:00Z");
    assertThat(end(DAY, "UTC", "2028-02-28T12:00:00Z")).isEqualTo("2028-02-29T00:00:00Z");
    assertThat(end(MONTH, "UTC", "2100-02-28T12:00:00Z")).isEqualTo("2100-03-01T00:00:00Z");
    assertThat(end(MONTH, "Europe/Berlin", "2026-01-31T23:00:00Z"))
        .isEqualTo("2026-02-28T23:00:00Z");
    assertThat(end(WEEK, "UTC", "2026-01-04T23:59:59Z")).isEqualTo("2026-01-05T00:00:00Z");
    assertThat(end(WEEK, "UTC", "2026-01-05T00:00:00Z")).isEqualTo("2026-01-12T00:00:00Z");
    assertThat(end(WEEK, "UTC", "1970-01-01T00:00:00Z")).isEqualTo("1970-01-05T00:00:00Z");
    assertThat(end(YEAR, "Asia/Tokyo", "2026-12-31T14:59:59Z")).isEqualTo("2026-12-31T15:00:00Z");
    assertThat(end(YEAR, "Asia/Tokyo", "2026-12-31T15:00:00Z")).isEqualTo("2027-12-31T15:00:00Z");
  }
}

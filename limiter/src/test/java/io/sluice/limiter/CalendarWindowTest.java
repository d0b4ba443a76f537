package io.sluice.limiter;

import static io.sluice.limiter.Algorithm.CALENDAR_WINDOW;
import static io.sluice.limiter.CalendarUnit.DAY;
import static io.sluice.limiter.CalendarUnit.HOUR;
import static io.sluice.limiter.CalendarUnit.MONTH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.limiter.Decision.Conforming;
import io.sluice.limiter.Decision.NonConforming;
import io.sluice.limiter.Metering.Standing;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests whole periods of the calendar by example; RowMeterAgainstOracleTest compares random traffic
 * with the oracle.
 */
class CalendarWindowTest {
  private static final long HOURS = 3_600_000_000L;

  private final WatchedRows rows = new WatchedRows();
  private final RowMeter meter = new RowMeter(rows);

  private static Rule rule(long permits, CalendarUnit unit, String zone, long patienceMicros) {
    return new Rule("l", Quota.of(permits, unit), CALENDAR_WINDOW, patienceMicros, false, false)
        .in(ZoneId.of(zone));
  }

  private static long micros(String instant) {
    return Instant.parse(instant).getEpochSecond() * 1_000_000;
  }

  private Outcome meter(Rule rule, long cost, long nowMicros) {
    return meter.meter(new Arrival("", cost, nowMicros), List.of(new Bucket(rule, "key")));
  }

  private Decision decision(Rule rule, long cost, String instant) {
    return meter(rule, cost, micros(instant)).decision(0);
  }

  /** Days of 23 and of 25 hours in three zones, computed by hand. */
  @ParameterizedTest
  @CsvSource({
    "Europe/Berlin,    2026-03-28T23:00:00Z, 23",
    "Europe/Berlin,    2026-10-24T22:00:00Z, 25",
    "America/New_York, 2026-03-08T05:00:00Z, 23",
    "America/New_York, 2026-11-01T04:00:00Z, 25",
    "Australia/Sydney, 2026-10-03T14:00:00Z, 23",
    "Australia/Sydney, 2026-04-04T13:00:00Z, 25"
  })
  void aDaysQuotaIsBackWhenTheNextDayBegins(String zone, String begins, int hours) {
    Rule rule = rule(3, DAY, zone, 0);
    long start = micros(begins);
    assertThat(meter(rule, 3, start).decision(0)).isEqualTo(new Conforming(0, hours * HOURS));
    assertThat(meter(rule, 1, start + hours * HOURS - 1).decision(0))
        .isEqualTo(new NonConforming(0, 1, 1));
    assertThat(meter(rule, 1, start + hours * HOURS).decision(0))
        .isEqualTo(new Conforming(2, 24 * HOURS));
  }

  @Test
  void aLeapFebruaryEndsWithThe29th() {
    Rule rule = rule(1, MONTH, "UTC", 0);
    assertThat(decision(rule, 1, "2028-02-01T00:00:00Z"))
        .isEqualTo(new Conforming(0, 29 * 24 * HOURS));
    assertThat(decision(rule, 1, "2028-02-29T23:59:59Z"))
        .isEqualTo(new NonConforming(0, 1_000_000, 1_000_000));
    assertThat(decision(rule, 1, "2028-03-01T00:00:00Z")).isInstanceOf(Conforming.class);
  }

  @Test
  void reservesInTheFirstPeriodWithRoom() {
    Rule rule = rule(2, HOUR, "UTC", 5 * HOURS);
    long noon = micros("2026-01-01T12:00:00Z");
    long[] slots = {0, 0, noon + HOURS, noon + HOURS, noon + 2 * HOURS, noon + 2 * HOURS};
    for (long slot : slots) assertThat(meter(rule, 1, noon + 5).slotMicros()).isEqualTo(slot);
    assertThat(meter(rule, 2, noon + 6).slotMicros()).isEqualTo(noon + 3 * HOURS);
    assertThat(meter(rule, 1, noon + 6).slotMicros()).isEqualTo(noon + 4 * HOURS);
    assertThat(meter(rule, 1, noon + 6).slotMicros()).isEqualTo(noon + 4 * HOURS);
    assertThat(meter(rule, 1, noon + HOURS - 1).slotMicros()).isEqualTo(noon + 5 * HOURS);
    assertThat(meter(rule, 2, noon + HOURS).slotMicros()).isEqualTo(noon + 6 * HOURS);
    assertThat(meter(rule, 1, noon + HOURS + 1).admitted()).as("7 hours ahead").isFalse();
  }

  /**
   * An arrival that another limit delays until tomorrow takes a permit of tomorrow, and one of
   * today.
   */
  @Test
  void whatIsReservedAheadCountsFromTheMomentItIsMade() {
    Rule daily = rule(3, DAY, "UTC", 0);
    List<Bucket> buckets = List.of(new Bucket(daily, "key"));
    long evening = micros("2026-01-01T23:59:59Z");
    Standing tomorrow = Standing.conforming(evening + HOURS);
    meter.probe(new Arrival("", 2, evening), buckets).settle(tomorrow);
    assertThat(meter(daily, 2, evening).decision(0)).isInstanceOf(NonConforming.class);
    assertThat(meter(daily, 1, evening).admitted()).isTrue();
    assertThat(decision(daily, 2, "2026-01-02T00:00:00Z")).isInstanceOf(NonConforming.class);
    assertThat(decision(daily, 1, "2026-01-02T00:00:00Z").remaining()).isZero();
  }

  @Test
  void anotherUnitBeginsAnewAndAnotherNumberDoesNot() {
    Rule hourly = rule(3, HOUR, "UTC", 0);
    long noon = micros("2026-01-01T12:00:00Z");
    meter(hourly, 2, noon);
    Change more = new Change.Numbers(noon + 1, Quota.of(4, HOUR), 0);
    assertThat(meter(hourly.changing(List.of(more)), 0, noon + 1).decision(0).remaining())
        .isEqualTo(2);
    Change length = new Change.Numbers(noon + 1, Quota.parse("3/1h"), 0);
    assertThat(meter(hourly.changing(List.of(length)), 0, noon + 1).decision(0).remaining())
        .isEqualTo(3);
  }

  @Test
  void periodsOfACalendarAreForThisAlgorithmAlone() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rule.policing("daily", Quota.of(1, DAY), Algorithm.GCRA))
        .withMessage("daily: a gcra cannot count calendar periods, such as DAY");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Quota(1, HOURS, 1, DAY))
        .withMessage("the period does not fit the unit DAY: 3600000000 microseconds");
  }
}

package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.CalendarUnit;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Quota;
import io.sluice.limiter.RowMeter;
import io.sluice.limiter.Rule;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.rows.HeapRows;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests periods whose ends a call does not bring: the script asks for them before it changes
 * anything.
 */
class RedisCalendarIT {
  private static final long NOW = 1_790_000_000_000_000L;
  private static final long HOUR = 3_600L * 1_000_000;

  private static RedisTestServer redis;

  @BeforeAll
  static void start() {
    redis = new RedisTestServer();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @BeforeEach
  void empty() {
    redis.client.flushAll();
  }

  private static Rule hourly(String name, long permits, long patienceMicros) {
    Quota quota = Quota.of(permits, CalendarUnit.HOUR);
    return new Rule(name, quota, Algorithm.CALENDAR_WINDOW, patienceMicros, false, false)
        .in(ZoneId.of("Australia/Lord_Howe"));
  }

  private static void assertAgrees(List<Request> requests) {
    RowMeter rows = new RowMeter(new HeapRows());
    List<Outcome> expected = new ArrayList<>();
    for (Request each : requests) expected.add(rows.meter(each.arrival(), each.buckets()));
    try (RedisMeter meter = new RedisMeter(redis.settings("sluice"))) {
      assertThat(meter.meter(requests)).isEqualTo(expected);
    }
  }

  private static Request request(int i, long nowMicros, Rule... rules) {
    List<Bucket> buckets = List.of(rules).stream().map(rule -> new Bucket(rule, "ann")).toList();
    return Request.of(new Arrival("id" + i, 1, nowMicros), buckets);
  }

  @Test
  void turnsAreReservedHundredsOfPeriodsAhead() {
    Rule rule = hourly("hourly", 1, 1_000 * HOUR);
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < 300; i++) requests.add(request(i, NOW, rule));
    assertAgrees(requests);
  }

  @Test
  void aSlotOfAnotherLimitIsInAPeriodThatNoCallHasBrought() {
    Rule funnel =
        new Rule("funnel", Quota.parse("1/7h"), Algorithm.GCRA, 1_000 * HOUR, false, false);
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      requests.add(request(i, NOW, hourly("one", 1, 0), funnel, hourly("two", 2, 0)));
    }
    assertAgrees(requests);
  }

  @Test
  void aBucketsClockIsFarAheadOfTheArrival() {
    Rule rule = hourly("hourly", 3, 0);
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < 9; i++) requests.add(request(i, NOW + (i % 2) * 50_000 * HOUR, rule));
    assertAgrees(requests);
  }
}

package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Decision.Conforming;
import io.sluice.limiter.Decision.NonConforming;
import io.sluice.testing.TestScale;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow") // logs of many thousand entries against the definition
class WindowLogTest {
  private static final long HOUR = 3_600_000_000L;

  private final WatchedRows rows = new WatchedRows();
  private final RowMeter meter = new RowMeter(rows);

  private static Rule log(String quota) {
    return Rule.policing("log", Quota.parse(quota), Algorithm.SLIDING_WINDOW_LOG);
  }

  private Decision meter(Rule rule, Arrival arrival) {
    return meter.meter(arrival, List.of(new Bucket(rule, "key"))).decision(0);
  }

  private long readsAndWritesOf(Rule rule, Arrival arrival) {
    long before = rows.readsAndWrites();
    meter(rule, arrival);
    return rows.readsAndWrites() - before;
  }

  @Test
  void anEntryExactlyOnePeriodOldIsGone() {
    Rule rule = log("1/60s");
    assertThat(meter(rule, new Arrival("a", 1, 1_000))).isInstanceOf(Conforming.class);
    assertThat(meter(rule, new Arrival("b", 1, 60_000_999))).isEqualTo(new NonConforming(0, 1, 1));
    assertThat(meter(rule, new Arrival("b", 1, 60_001_000))).isInstanceOf(Conforming.class);
  }

  @Test
  void twoEventsInOneInstantAreTwoAndOneMeteredTwiceIsOne() {
    Rule rule = log("3/60s");
    assertThat(meter(rule, new Arrival("a", 1, 1_000)).remaining()).isEqualTo(2);
    assertThat(meter(rule, new Arrival("b", 1, 1_000)).remaining()).isEqualTo(1);
    assertThat(meter(rule, new Arrival("a", 1, 1_000)).remaining()).isEqualTo(1);
  }

  /**
   * A million arrivals an hour, for four and a half minutes, or for an hour and a half at full
   * scale.
   */
  @Test
  void aMillionEntriesTakeAbout14BytesEachAndNoMoreWorkThanFew() {
    int most = TestScale.of(50_000, 1_000_000);
    Rule rule = log(most + "/" + most * 36L / 10_000 + "s");
    SplittableRandom random = new SplittableRandom(1);
    long now = 1_700_000_000_000_000L;
    long mostWork = 0;
    int refused = 0;
    for (int i = 0; i < most + most / 2; i++) {
      now += random.nextLong(7_000);
      Arrival arrival = new Arrival("event-" + i, 1, now);
      long before = rows.readsAndWrites();
      if (meter(rule, arrival) instanceof NonConforming) refused++;
      mostWork = Math.max(mostWork, rows.readsAndWrites() - before);
      if (i % (most / 2) == most / 2 - 1) {
        int entries = Math.min(i + 1, most);
        assertThat(rows.bytes()).as("after %d", i + 1).isLessThan((long) (14.9 * entries));
        assertThat(rows.size()).as("after %d", i + 1).isBetween(entries / 85, entries / 65);
        assertThat(rows.longest()).isLessThan(1_200);
      }
    }
    assertThat(refused).isPositive();
    assertThat(mostWork).isLessThanOrEqualTo(6);

    // After a long idle time, the next arrival that is charged removes everything at once.
    long soon = now + HOUR + HOUR / 60;
    assertThat(readsAndWritesOf(rule, new Arrival("asks", 0, soon))).isEqualTo(1);
    assertThat(rows.size()).isGreaterThan(most / 125);
    assertThat(meter(rule, new Arrival("charged", 1, soon)).remaining()).isEqualTo(most - 1);
    assertThat(rows.size()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void aLongLogInPiecesAnswersByDefinition(long seed) {
    long period = 600_000_000;
    for (int way = 0; way < 4; way++) {
      Rule rule =
          new Rule(
              "log",
              new Quota(400, period, 400),
              Algorithm.SLIDING_WINDOW_LOG,
              way == 1 ? period : 0,
              way == 2,
              way == 3);
      RowMeter longLogs = new RowMeter(new WatchedRows());
      Oracle oracle = new Oracle();
      List<Bucket> buckets = List.of(new Bucket(rule, "key"));
      SplittableRandom random = new SplittableRandom(seed);
      long now = 1_000_000_000;
      for (int i = 0; i < 2_000; i++) {
        now += random.nextInt(500) == 0 ? random.nextLong(period) : random.nextLong(2_000_000);
        boolean again = random.nextInt(10) == 0;
        String id = "event-" + (again ? Math.max(0, i - random.nextInt(600)) : i);
        Arrival arrival = new Arrival(id, random.nextInt(4), now);
        if (again) arrival = new Arrival(id, 1, now);
        Outcome found = longLogs.meter(arrival, buckets);
        assertThat(found)
            .as("seed %d, event %d, %s under %s", seed, i, arrival, rule)
            .isEqualTo(oracle.meter(arrival, buckets));
      }
    }
  }

  /**
   * One limit delays arrivals far ahead; the log only polices, and other arrivals come before
   * those.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void whatComesBeforeReservationsIsPutBeforeThemInPiecesThatStaySmall(long seed) {
    Rule log = log("3000/1h");
    Rule delays = new Rule("delay", Quota.parse("1/10s"), Algorithm.GCRA, HOUR / 2, false, false);
    Oracle oracle = new Oracle();
    SplittableRandom random = new SplittableRandom(seed);
    long now = 1_000_000_000;
    long mostWork = 0;
    for (int i = 0; i < 3_000; i++) {
      now += random.nextLong(1_200_000);
      String target = "key-" + (random.nextInt(10) > 0 ? "hurried-" + i : "delayed");
      List<Bucket> buckets = List.of(new Bucket(log, "key"), new Bucket(delays, target));
      Arrival arrival = new Arrival("event-" + i, 1 - i % 7 / 6, now);
      long before = rows.readsAndWrites();
      Outcome found = meter.meter(arrival, buckets);
      mostWork = Math.max(mostWork, rows.readsAndWrites() - before);
      assertThat(found)
          .as("seed %d, event %d, %s", seed, i, arrival)
          .isEqualTo(oracle.meter(arrival, buckets));
    }
    assertThat(rows.longest()).as("seed %d", seed).isLessThan(2_100);
    assertThat(mostWork).as("seed %d", seed).isLessThan(40);
  }

  @Test
  void aFloodOfAttemptsIsBoundedByThePermits() {
    Rule rule =
        new Rule("log", Quota.parse("100/60s"), Algorithm.SLIDING_WINDOW_LOG, 0, true, false);
    for (int i = 0; i < 100_000; i++) {
      long now = 1_000_000 + i;
      Decision decision = meter(rule, new Arrival("event-" + i, 1 + i % 3, now));
      if (i < 50) continue;
      assertThat(decision).isInstanceOf(NonConforming.class);
      assertThat(rows.bytes()).isLessThan(2_200);
      assertThat(rows.size()).isLessThanOrEqualTo(2);
    }
  }

  @Test
  void anEventWhoseAttemptWasPushedOutByAFloodIsStillKnown() {
    Rule rule = new Rule("log", Quota.parse("2/60s"), Algorithm.SLIDING_WINDOW_LOG, 0, true, false);
    assertThat(meter(rule, new Arrival("first", 1, 1))).isInstanceOf(Conforming.class);
    for (int i = 0; i < 50; i++) meter(rule, new Arrival("flood-" + i, 1, 2 + i));
    Object before = rows.content();
    assertThat(meter(rule, new Arrival("first", 1, 100))).isInstanceOf(Conforming.class);
    assertThat(rows.content()).isEqualTo(before);
  }

  /**
   * Another limit delays the same events, so the log that counts attempts has entries in the
   * future.
   */
  @Test
  void aRefusedAttemptPutBeforeAReservationStaysRefused() {
    Rule log = new Rule("log", Quota.parse("2/60s"), Algorithm.SLIDING_WINDOW_LOG, 0, true, false);
    Rule delays = new Rule("delay", Quota.parse("1/60s"), Algorithm.GCRA, HOUR, false, false);
    List<Bucket> buckets = List.of(new Bucket(log, "key"), new Bucket(delays, "key"));
    assertThat(meter.meter(new Arrival("a", 1, 10), buckets).slotMicros()).isZero();
    assertThat(meter.meter(new Arrival("b", 1, 10), buckets).slotMicros()).isEqualTo(60_000_010);
    assertThat(meter.meter(new Arrival("c", 1, 11), buckets).admitted()).isFalse();
    Object before = rows.content();
    assertThat(meter.meter(new Arrival("b", 1, 12), buckets).slotMicros()).isEqualTo(60_000_010);
    assertThat(rows.content()).isEqualTo(before);
  }
}

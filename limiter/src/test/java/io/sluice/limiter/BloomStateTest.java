package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.limiter.filter.FilterSize;
import io.sluice.limiter.rows.Conditions;
import io.sluice.limiter.rows.RecentRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BloomStateTest {
  private static final long HOUR = 3_600_000_000L;
  private static final long DAY = 24 * HOUR;
  private static final long PERIOD = 4 * DAY;

  /** Start of a generation. */
  private static final long START = 20_000 * DAY;

  private static final Rule OFFER = rule(100_000);

  private final WatchedRows rows = new WatchedRows();
  private final RowMeter meter = new RowMeter(rows);
  private int records;

  private static Rule rule(long capacity) {
    return Rule.policing("offer", new Quota(1, PERIOD, 1), Algorithm.BLOOM)
        .with(new FilterSize(capacity, 0.001));
  }

  private Arrival arrival(long atMicros) {
    return new Arrival("record-" + records++, 1, atMicros);
  }

  private boolean admits(Rule rule, String key, long atMicros) {
    return meter.meter(arrival(atMicros), List.of(new Bucket(rule, key))).admitted();
  }

  @Test
  void aKeyIsAdmittedAgainWhenTheQuarterInWhichItWasIsAPeriodOld() {
    for (long at : new long[] {START, START + 1, START + HOUR, START + DAY - 1}) {
      String key = "key-" + at;
      assertThat(admits(OFFER, key, at)).isTrue();
      assertThat(admits(OFFER, key, at)).isFalse();
      assertThat(admits(OFFER, key, at + PERIOD)).isFalse();
      assertThat(admits(OFFER, key, START + DAY + PERIOD - 1)).isFalse();
    }
    assertThat(admits(OFFER, "key-" + START, START + DAY + PERIOD)).isTrue();
  }

  @Test
  void itSaysWhenAKeyIsAsGoodAsNewAndNamesNoWait() {
    List<Bucket> buckets = List.of(new Bucket(OFFER, "key"));
    Decision first = meter.meter(arrival(START + HOUR), buckets).decision(0);
    Decision second = meter.meter(arrival(START + 2 * HOUR), buckets).decision(0);
    assertThat(first).isEqualTo(new Decision.Conforming(0, DAY - HOUR + PERIOD));
    assertThat(second).isEqualTo(new Decision.Known(DAY - 2 * HOUR + PERIOD));
  }

  @Test
  void whoComesLateOrAheadIsJudgedAtItsOwnInstant() {
    assertThat(admits(OFFER, "late", START + 5 * DAY)).isTrue();
    assertThat(admits(OFFER, "late", START)).isFalse(); // five days earlier: would be a second time
    assertThat(admits(OFFER, "early", START)).isTrue();
    assertThat(admits(OFFER, "early", START + 6 * DAY)).isTrue();
    assertThat(admits(OFFER, "early", START + 4 * DAY)).isFalse();
    assertThat(admits(OFFER, "early", START + 1)).isFalse(); // the first generation is still known
  }

  @Test
  void whatIsAheadEndsNothingThatMayBeAskedFor() {
    RowMeter patient = new RowMeter(rows, Conditions.ALONE.with(now -> now - PERIOD));
    patient.meter(arrival(START), List.of(new Bucket(OFFER, "key")));
    patient.meter(arrival(START + 2 * PERIOD), List.of(new Bucket(OFFER, "ahead")));
    Outcome again = patient.meter(arrival(START + PERIOD), List.of(new Bucket(OFFER, "key")));
    assertThat(again.admitted()).isFalse();
  }

  @Test
  void generationsThatNobodyCanAskForAnyMoreAreNotListed() {
    for (int day = 0; day < 200; day++) admits(OFFER, "key-" + day, START + day * DAY);
    byte[] list = rows.get(RowKeys.head(OFFER, ""));
    assertThat(list.length).isLessThan(6 * 24);
  }

  @Test
  void theSameRecordIsAnsweredAgainAndAnotherOneIsNot() {
    List<Bucket> buckets = List.of(new Bucket(OFFER, "key"));
    Identity.Source here = new Identity.Source("actions-0-17", "ada", 1, 1);
    Identity.Source there = new Identity.Source("actions-0-18", "ada", 1, 1);
    Arrival first = new Arrival(Identity.of("ada", "offer", "id", here), 1, START);
    Arrival other = new Arrival(Identity.of("ada", "offer", "id", there), 1, START);
    assertThat(meter.meter(first, buckets).admitted()).isTrue();
    assertThat(meter.meter(first, buckets).admitted()).isTrue();
    assertThat(meter.meter(other, buckets).decision(0)).isInstanceOf(Decision.Known.class);
    RowMeter restarted = new RowMeter(rows);
    assertThat(restarted.meter(first, buckets).admitted()).isTrue();
    assertThat(restarted.meter(other, buckets).admitted()).isFalse();
  }

  @Test
  void whereRowsAreUndoneNoRecordIsRemembered() {
    RowMeter undone = new RowMeter(rows, new Conditions(1, false, now -> now, limit -> {}));
    Arrival first = arrival(START);
    assertThat(undone.meter(first, List.of(new Bucket(OFFER, "key"))).admitted()).isTrue();
    assertThat(undone.meter(first, List.of(new Bucket(OFFER, "key"))).admitted()).isFalse();
    assertThat(rows.size()).isEqualTo(2); // the list of generations and a block
  }

  @Test
  void theLastRecordsAreRememberedHoweverOftenItBegins() {
    int most = RecentRecords.MOST;
    RowMeter[] meters = {new RowMeter(rows)};
    for (int i = 0; i < most + most / 2; i++) {
      if (i % 3_000 == 0) meters[0] = new RowMeter(rows);
      assertThat(meters[0].meter(record(i), bucket(i)).admitted()).isTrue();
    }
    for (int restarts = 0; restarts < 2; restarts++) {
      assertThat(meters[0].meter(record(most / 2), bucket(most / 2)).admitted()).isTrue();
      assertThat(meters[0].meter(record(most / 2 - 1), bucket(most / 2 - 1)).admitted()).isFalse();
      assertThat(meters[0].meter(record(most), bucket(most)).admitted()).isTrue();
      meters[0] = new RowMeter(rows);
    }
  }

  private static Arrival record(int i) {
    return new Arrival("again-" + i, 1, START);
  }

  private static List<Bucket> bucket(int i) {
    return List.of(new Bucket(OFFER, "key-" + i));
  }

  /**
   * The record is written before the bits. If the process dies in between, the record comes again.
   */
  @Test
  void aRecordWhoseBitsWereLostIsNew() {
    Arrival first = arrival(START);
    meter.meter(first, List.of(new Bucket(OFFER, "key")));
    List<byte[]> blocks = new ArrayList<>();
    rows.forEach(
        (row, value) -> {
          if (row[0] != RecentRecords.KIND) blocks.add(row);
        });
    blocks.forEach(rows::delete);
    RowMeter restarted = new RowMeter(rows);
    assertThat(restarted.meter(first, List.of(new Bucket(OFFER, "key"))).admitted()).isTrue();
    assertThat(restarted.meter(arrival(START), List.of(new Bucket(OFFER, "key"))).admitted())
        .isFalse();
  }

  @Test
  void whatCostsNothingLeavesNothingAndACostIsOnce() {
    List<Bucket> buckets = List.of(new Bucket(OFFER, "key"));
    assertThat(meter.meter(new Arrival("ask", 0, START), buckets).admitted()).isTrue();
    assertThat(rows.size()).isZero();
    assertThat(meter.meter(new Arrival("much", 1L << 60, START), buckets).admitted()).isTrue();
    assertThat(meter.meter(new Arrival("ask2", 0, START), buckets).admitted()).isFalse();
  }

  @Test
  void aResetForgetsAndWhoIsLateFromBeforeIsKnownStill() {
    Rule reset = OFFER.changing(List.of(new Change.Reset(START + 2 * HOUR)));
    assertThat(admits(OFFER, "key", START)).isTrue();
    assertThat(admits(reset, "key", START + 2 * HOUR - 1)).isFalse();
    assertThat(admits(reset, "key", START + 2 * HOUR)).isTrue();
    assertThat(admits(reset, "key", START + 2 * HOUR + 1)).isFalse();
    assertThat(admits(reset, "other", START + 2 * HOUR + 1)).isTrue();
    assertThat(admits(reset, "key", START + 1)).isFalse();
  }

  @Test
  void anotherPeriodIsThatOfWhoComesNext() {
    Change longer = new Change.Numbers(START + 5 * DAY - 1, new Quota(1, 2 * PERIOD, 1), 0);
    assertThat(admits(OFFER, "key", START)).isTrue();
    assertThat(admits(OFFER.changing(List.of(longer)), "key", START + 8 * DAY)).isFalse();
    assertThat(admits(OFFER, "other", START)).isTrue();
    Change shorter = new Change.Numbers(START + 1, new Quota(1, DAY, 1), 0);
    assertThat(admits(OFFER.changing(List.of(shorter)), "other", START + 2 * DAY)).isTrue();
  }

  @Test
  void anotherCapacityForgetsNothing() {
    for (int i = 0; i < 1_000; i++) admits(OFFER, "key-" + i, START);
    for (int i = 0; i < 1_000; i++) {
      assertThat(admits(rule(10), "key-" + i, START + i)).isFalse();
      assertThat(admits(rule(10_000_000), "key-" + i, START + DAY + i)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aSweepDeletesWhatNobodyCanAskForAndNothingElse(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    WatchedRows kept = new WatchedRows();
    RowMeter unswept = new RowMeter(kept);
    RowSweeper sweeper = new RowSweeper(rows, List.of(OFFER));
    long now = START + random.nextLong(PERIOD);
    for (int i = 0; i < 3_000; i++) {
      now += random.nextLong(HOUR);
      Arrival arrival = arrival(now);
      List<Bucket> buckets = List.of(new Bucket(OFFER, "key-" + random.nextInt(500)));
      assertThat(meter.meter(arrival, buckets))
          .as("seed %d, event %d", seed, i)
          .isEqualTo(unswept.meter(arrival, buckets));
      long earliest = now;
      if (i % 10 == 0) rows.forEach((row, value) -> sweeper.sweep(row, value, earliest));
    }
    long later = now + 2 * PERIOD;
    rows.forEach((row, value) -> sweeper.sweep(row, value, later));
    rows.forEach((row, value) -> sweeper.sweep(row, value, later));
    rows.forEach((row, value) -> assertThat(row[0]).isIn(RowKeys.HEAD, RecentRecords.KIND));
    RowSweeper none = new RowSweeper(rows, List.of());
    rows.forEach((row, value) -> none.sweep(row, value, later));
    assertThat(rows.size()).as("the list of no generations").isEqualTo(1);
  }

  @Test
  void aFilterIsNotOfOneKey() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new InProcessLimiter(new Quota(1, PERIOD, 1), Algorithm.BLOOM).meter("a"))
        .withMessageContaining("RowMeter");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rule.policing("a", Quota.parse("2/1d"), Algorithm.BLOOM))
        .withMessageContaining("needs 1 permit per period");
  }
}

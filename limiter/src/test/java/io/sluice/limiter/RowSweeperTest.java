package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Scenarios.Limit;
import io.sluice.limiter.Scenarios.Way;
import io.sluice.limiter.rows.HeapRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowSweeperTest {
  private static final Quota QUOTA = Quota.parse("500/60s");

  private static int sweep(WatchedRows rows, List<Rule> rules, long nowMicros) {
    RowSweeper sweeper = new RowSweeper(rows, rules);
    int[] deleted = new int[1];
    rows.forEach((row, value) -> deleted[0] += sweeper.sweep(row, value, nowMicros) ? 1 : 0);
    return deleted[0];
  }

  private static Quota quota(Algorithm algorithm) {
    return Quota.parse(algorithm.admitsOnce() ? "1/60s" : "7/60s");
  }

  /** A meter whose rows are swept before every arrival answers like one that is never swept. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void neverDeletesAKeyThatMatters(long seed) {
    for (Algorithm algorithm : Scenarios.algorithmsOfEvents().toList()) {
      for (long patience : new long[] {0, 90_000_000}) {
        if (patience > 0 && !algorithm.canReserve()) continue;
        Rule rule = new Rule("limit", quota(algorithm), algorithm, patience, false, false);
        WatchedRows rows = new WatchedRows();
        RowMeter swept = new RowMeter(rows);
        RowMeter kept = new RowMeter(new HeapRows());
        Traffic traffic = new Traffic(seed, 3, List.of(rule.quota()));
        int deleted = 0;
        for (int i = 0; i < 3_000; i++) {
          Traffic.Event event = traffic.next();
          List<Bucket> buckets = List.of(new Bucket(rule, "key-" + event.key()));
          deleted += sweep(rows, List.of(rule), event.arrival().nowMicros());
          assertThat(swept.meter(event.arrival(), buckets))
              .as("seed %d, event %d, %s under %s", seed, i, event, rule)
              .isEqualTo(kept.meter(event.arrival(), buckets));
        }
        assertThat(deleted).as("seed %d, %s", seed, rule).isPositive();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void neverDeletesAKeyThatMattersUnderARuleThatChanges(Algorithm algorithm) {
    Limit limit = new Limit(algorithm, Way.POLICES);
    for (long seed = 1; seed <= 4; seed++) {
      Rule first = Rule.policing("limit", quota(algorithm), algorithm);
      Revisions revisions = new Revisions(first, limit, false, seed);
      WatchedRows rows = new WatchedRows();
      RowMeter swept = new RowMeter(rows);
      RowMeter kept = new RowMeter(new HeapRows());
      Traffic traffic = new Traffic(seed, 3, List.of(first.quota()));
      int deleted = 0;
      for (int i = 0; i < 3_000; i++) {
        Traffic.Event event = traffic.next();
        long now = event.arrival().nowMicros();
        List<Bucket> buckets = List.of(new Bucket(revisions.rule(), "key-" + event.key()));
        deleted += sweep(rows, List.of(revisions.rule()), now);
        assertThat(swept.meter(event.arrival(), buckets))
            .as("seed %d, event %d, %s in %s", seed, i, event, buckets)
            .isEqualTo(kept.meter(event.arrival(), buckets));
        if (i % 40 == 0) revisions.revise(now);
      }
      assertThat(deleted).as("seed %d", seed).isPositive();
    }
  }

  /** One user has a longer period than others, and keeps the entries that count in it. */
  @Test
  void asksForTheRuleOfEachRow() {
    Rule all = Rule.policing("limit", QUOTA, Algorithm.SLIDING_WINDOW_LOG);
    Rule some = all.changing(List.of(new Change.Numbers(1, Quota.parse("500/1h"), 0)));
    WatchedRows rows = new WatchedRows();
    RowMeter meter = new RowMeter(rows);
    for (String key : List.of("some", "other")) {
      meter.meter(new Arrival("", 1, 1_000), List.of(new Bucket(all, key)));
    }
    RowSweeper sweeper =
        new RowSweeper(
            rows,
            (name, algorithm, key) -> {
              assertThat(name).isEqualTo("limit");
              assertThat(algorithm).isEqualTo(Algorithm.SLIDING_WINDOW_LOG);
              return Optional.of(key.equals("some") ? some : all);
            });
    List<Boolean> deleted = new ArrayList<>();
    for (long now : new long[] {61_000_000, 3_600_000_999L, 3_600_001_000L}) {
      rows.forEach((row, value) -> deleted.add(sweeper.sweep(row, value, now)));
    }
    assertThat(deleted).containsExactlyInAnyOrder(true, false, false, true);
    assertThat(rows.size()).isZero();
  }

  /** Most rows are in use, and finding the rule of one can take long. */
  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void doesNotAskForTheRuleOfARowInUse(Algorithm algorithm) {
    Rule rule = Rule.policing("limit", QUOTA, algorithm);
    WatchedRows rows = new WatchedRows();
    long now = 60_000_000L * 1_000_000;
    new RowMeter(rows).meter(new Arrival("", 1, now), List.of(new Bucket(rule, "key")));
    List<String> asked = new ArrayList<>();
    RowSweeper.Rules rules =
        new RowSweeper.Rules() {
          @Override
          public Optional<Rule> of(String name, Algorithm asking, String key) {
            asked.add(key);
            return Optional.empty();
          }

          @Override
          public Optional<Rule> ofMost(String name, Algorithm asking) {
            return Optional.of(rule);
          }
        };
    RowSweeper sweeper = new RowSweeper(rows, rules);
    rows.forEach((row, value) -> assertThat(sweeper.sweep(row, value, now - 1)).isFalse());
    assertThat(asked).isEmpty();
    rows.forEach((row, value) -> assertThat(sweeper.sweep(row, value, now)).isTrue());
    assertThat(asked).containsExactly("key");
  }

  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void deletesAnIdleKeyWithAllThatBelongsToItAndNotAMomentTooSoon(Algorithm algorithm) {
    Rule rule = Rule.policing("limit", QUOTA, algorithm);
    WatchedRows rows = new WatchedRows();
    RowMeter meter = new RowMeter(rows);
    long now = 60_000_000L * 1_000_000;
    for (int i = 0; i < 500; i++) {
      Arrival arrival = new Arrival("event-" + i, 1, now + i);
      Outcome outcome = meter.meter(arrival, List.of(new Bucket(rule, "key")));
      assertThat(outcome.admitted()).isTrue();
    }
    assertThat(rows.size()).isEqualTo(algorithm == Algorithm.SLIDING_WINDOW_LOG ? 7 : 1);
    // The last event is remembered for one period, in which the funnel drains.
    long period = QUOTA.periodMicros();
    long forgottenAt =
        algorithm == Algorithm.SLIDING_WINDOW_COUNTER ? now + 2 * period : now + 499 + period;
    assertThat(sweep(rows, List.of(rule), forgottenAt - 1)).isZero();
    assertThat(sweep(rows, List.of(rule), forgottenAt)).isEqualTo(1);
    assertThat(rows.size()).isZero();
  }

  @Test
  void deletesWhatBelongsToARuleThatIsGoneOrHasAnotherShape() {
    Rule log = Rule.policing("limit", QUOTA, Algorithm.SLIDING_WINDOW_LOG);
    Rule longer = Rule.policing("limits", QUOTA, Algorithm.SLIDING_WINDOW_LOG);
    Rule gcra = Rule.policing("limit", QUOTA, Algorithm.GCRA);
    WatchedRows rows = new WatchedRows();
    RowMeter meter = new RowMeter(rows);
    for (int i = 0; i < 400; i++) {
      Arrival arrival = new Arrival("event-" + i, 1, 1_000);
      meter.meter(arrival, List.of(new Bucket(log, "key"), new Bucket(longer, "key")));
    }
    int before = rows.size();
    assertThat(sweep(rows, List.of(log, longer), 1_000)).isZero();
    assertThat(sweep(rows, List.of(longer, gcra), 1_000)).isEqualTo(1);
    assertThat(rows.size()).isEqualTo(before / 2);
    assertThat(sweep(rows, List.of(), 1_000)).isEqualTo(1);
    assertThat(rows.size()).isZero();
  }
}

package io.sluice.limiter;

import static io.sluice.limiter.Algorithm.GCRA;
import static io.sluice.limiter.Algorithm.SLIDING_WINDOW_COUNTER;
import static io.sluice.limiter.Algorithm.SLIDING_WINDOW_LOG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.limiter.rows.HeapRows;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests by example that used permits stay used when a rule's numbers change. */
class ChangingRulesTest {
  /** A whole number of hours after 1970, so that periods of counters begin at this instant. */
  private static final long NOW = 480_000L * 3_600 * 1_000_000;

  private static final long SECOND = 1_000_000;

  private final RowMeter meter = new RowMeter(new HeapRows());

  private static Rule rule(Algorithm algorithm, String quota, Change... changes) {
    return Rule.policing("limit", Quota.parse(quota), algorithm).changing(List.of(changes));
  }

  private static Rule shaping(Algorithm algorithm, String quota, Change... changes) {
    return new Rule("limit", Quota.parse(quota), algorithm, 600 * SECOND, false, false)
        .changing(List.of(changes));
  }

  private static Change.Numbers change(long afterMicros, String quota) {
    return new Change.Numbers(NOW + afterMicros, Quota.parse(quota), 0);
  }

  private static Change reset(long afterMicros) {
    return new Change.Reset(NOW + afterMicros);
  }

  private Outcome meter(Rule rule, long cost, long afterMicros) {
    Arrival arrival = new Arrival("", cost, NOW + afterMicros);
    return meter.meter(arrival, List.of(new Bucket(rule, "key")));
  }

  private Decision decision(Rule rule, long cost, long afterMicros) {
    return meter(rule, cost, afterMicros).decision(0);
  }

  private long remaining(Rule rule, long afterMicros) {
    return decision(rule, 0, afterMicros).remaining();
  }

  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void fiveOfFiveUsedAndRaisedToTenLeaveFiveAtOnce(Algorithm algorithm) {
    Rule raised = rule(algorithm, "5/60s", change(1, "10/60s"));
    assertThat(decision(raised, 5, 0)).isInstanceOf(Decision.Conforming.class);
    assertThat(remaining(raised, 0)).isZero();
    assertThat(remaining(raised, 1)).isEqualTo(5);
    assertThat(decision(raised, 5, 1).remaining()).isZero();
    assertThat(meter(raised, 1, 1).admitted()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void loweredAndRaisedAgainLeavesWhatWasLeft(Algorithm algorithm) {
    Rule rule = rule(algorithm, "10/60s", change(1, "2/60s"), change(2, "10/60s"));
    meter(rule, 4, 0);
    assertThat(remaining(rule, 0)).isEqualTo(6);
    assertThat(remaining(rule, 1)).isZero();
    assertThat(decision(rule, 3, 1)).isInstanceOf(Decision.Oversized.class);
    assertThat(remaining(rule, 2)).isEqualTo(6);
  }

  /**
   * A hundred thousand permits at one a day take 273 years, which exceeds the limiter's range of
   * time.
   */
  @Test
  void aFunnelThatIsLoweredFarAndRaisedAgainHasLostNothing() {
    Rule rule = rule(GCRA, "100000/1h", change(1, "1/1d"), change(2, "100000/1h"));
    meter(rule, 100_000, 0);
    assertThat(decision(rule, 1, 1).resetAfterMicros()).isGreaterThan(50 * 365 * 86_400 * SECOND);
    assertThat(decision(rule, 1, 2).resetAfterMicros()).isEqualTo(3_600 * SECOND - 1);
    assertThat(remaining(rule, 2 + 36_000)).isEqualTo(1);
  }

  @Test
  void aBacklogIsScaledAndRoundedUpToAMicrosecond() {
    Rule rule = rule(GCRA, "7/60s", change(1_000, "11/60s"));
    meter(rule, 3, 0);
    // 3 * 60 / 7 s less 1 ms are 25,713,285 and 5/7 microseconds; 7/11 of them are 16,363,000.
    assertThat(decision(rule, 0, 1_000).resetAfterMicros()).isEqualTo(16_363_000);
    Rule later = rule(GCRA, "7/60s", change(1_001, "11/60s"));
    // A microsecond less is 7/11 less: 16,362,999.37, rounded up.
    assertThat(decision(later, 0, 1_001).resetAfterMicros()).isEqualTo(16_363_000);
    assertThat(decision(rule(GCRA, "7/60s", change(1_002, "11/60s")), 0, 1_002).resetAfterMicros())
        .isEqualTo(16_362_999);
  }

  @Test
  void anotherBurstAloneMovesNoTat() {
    Change wider = new Change.Numbers(NOW + 1, Quota.parse("7/60s").withBurst(9), 0);
    Rule rule = rule(GCRA, "7/60s", wider);
    long before = decision(rule, 3, 0).resetAfterMicros();
    assertThat(decision(rule, 0, 1)).isEqualTo(new Decision.Conforming(6, before - 1));
  }

  @Test
  void whatHadLeftALogBeforeItsPeriodGrewStaysGone() {
    Rule rule = rule(SLIDING_WINDOW_LOG, "5/60s", change(70 * SECOND, "5/1h"));
    meter(rule, 1, 0);
    meter(rule, 1, 10 * SECOND);
    meter(rule, 1, 10 * SECOND + 1);
    assertThat(remaining(rule, 70 * SECOND - 1)).isEqualTo(3);
    assertThat(remaining(rule, 70 * SECOND)).as("one was just a minute old").isEqualTo(4);
    assertThat(remaining(rule, 3_610 * SECOND)).isEqualTo(4);
    assertThat(remaining(rule, 3_610 * SECOND + 1)).isEqualTo(5);
  }

  @Test
  void aLogsEntriesStayWhenItsPeriodShrinks() {
    Rule rule = rule(SLIDING_WINDOW_LOG, "5/60s", change(30 * SECOND, "5/20s"));
    meter(rule, 1, 0);
    meter(rule, 2, 15 * SECOND);
    assertThat(remaining(rule, 29 * SECOND)).isEqualTo(2);
    assertThat(remaining(rule, 30 * SECOND)).isEqualTo(3);
    assertThat(remaining(rule, 35 * SECOND)).isEqualTo(5);
  }

  @Test
  void noTriesAreDroppedThatMatterWhenLoweredPermitsAreRaisedAgain() {
    Rule rule =
        new Rule("limit", Quota.parse("10/60s"), SLIDING_WINDOW_LOG, 0, true, false)
            .changing(List.of(change(1, "2/60s"), change(3, "10/60s")));
    for (int i = 0; i < 8; i++) meter(rule, 1, 0);
    for (int i = 0; i < 2; i++) meter(rule, 1, 2);
    assertThat(remaining(rule, 3)).isZero();
  }

  @Test
  void aCounterBeginsAnewWithAnotherPeriodAndOnlyThen() {
    Rule rule = rule(SLIDING_WINDOW_COUNTER, "5/60s", change(1, "9/60s"), change(2, "9/30s"));
    meter(rule, 5, 0);
    assertThat(remaining(rule, 1)).isEqualTo(4);
    assertThat(remaining(rule, 2)).isEqualTo(9);
  }

  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void aResetForgetsOnceWhatWasUsedAndWhoWasAdmitted(Algorithm algorithm) {
    Rule rule = rule(algorithm, "5/60s", reset(10));
    Arrival first = new Arrival("id", 5, NOW);
    List<Bucket> bucket = List.of(new Bucket(rule, "key"));
    meter.meter(first, bucket);
    assertThat(remaining(rule, 9)).isZero();
    assertThat(remaining(rule, 10)).isEqualTo(5);
    assertThat(meter.meter(first.at(NOW + 10), bucket).decision(0).remaining()).isZero();
    assertThat(remaining(rule, 11)).as("charged again, and kept").isZero();
    assertThat(meter.meter(first.at(NOW + 11), bucket).admitted()).as("and known again").isTrue();
  }

  /** A long log finds its older entries by an index, which is not part of the rows. */
  @Test
  void aLongLogForgetsAtAResetWhomItHasAdmitted() {
    Rule rule = rule(SLIDING_WINDOW_LOG, "1000/60s", reset(10_000));
    List<Bucket> bucket = List.of(new Bucket(rule, "key"));
    for (int i = 0; i < 300; i++) meter.meter(new Arrival("old-" + i, 1, NOW + i), bucket);
    assertThat(meter.meter(new Arrival("old-0", 1, NOW + 9_999), bucket).decision(0).remaining())
        .isEqualTo(700);
    for (int i = 0; i < 300; i++) {
      meter.meter(new Arrival("new-" + i, 1, NOW + 10_000 + i), bucket);
    }
    assertThat(meter.meter(new Arrival("old-0", 1, NOW + 11_000), bucket).decision(0).remaining())
        .isEqualTo(699);
  }

  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void whoIsRefusedAfterAResetHasNotUsedItUp(Algorithm algorithm) {
    Rule rule = rule(algorithm, "5/60s", reset(10));
    meter(rule, 5, 0);
    assertThat(decision(rule, 6, 20)).isInstanceOf(Decision.Oversized.class);
    assertThat(remaining(rule, 5)).as("an arrival that is late").isZero();
    assertThat(remaining(rule, 20)).isEqualTo(5);
  }

  @ParameterizedTest
  @EnumSource(names = {"GCRA", "SLIDING_WINDOW_LOG"})
  void turnsStayReservedThroughChangesAndResets(Algorithm algorithm) {
    for (Change each :
        List.of(reset(10), new Change.Numbers(NOW + 10, Quota.parse("9/2s"), 9_000_000))) {
      RowMeter fresh = new RowMeter(new HeapRows());
      Rule rule = shaping(algorithm, "1/2s", each);
      List<Long> slots = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Arrival arrival = new Arrival("", 1, NOW + (i < 3 ? 0 : 10));
        slots.add(fresh.meter(arrival, List.of(new Bucket(rule, "key"))).slotMicros());
      }
      assertThat(slots).startsWith(0L, NOW + 2 * SECOND, NOW + 4 * SECOND);
      assertThat(slots.get(3)).as("%s", each).isEqualTo(NOW + 4 * SECOND);
    }
  }

  /** The bucket is charged by 5/60s; then a change comes that was in force before. */
  @Test
  void aFunnelIsConvertedAtItsClockWhenAChangeComesLate() {
    meter(rule(GCRA, "5/60s"), 5, 100);
    Rule late = rule(GCRA, "5/60s", change(50, "10/60s"));
    assertThat(remaining(late, 100)).isEqualTo(5);
    assertThat(remaining(rule(GCRA, "10/60s"), 100)).as("or another file").isEqualTo(5);
  }

  @Test
  void changesOfOneInstantAreOneWhateverTheirOrderAmongOthers() {
    Rule rule = rule(GCRA, "5/60s", change(20, "7/60s"), change(10, "1/1d"), change(10, "5/60s"));
    assertThat(rule).isEqualTo(rule(GCRA, "5/60s", change(20, "7/60s")));
    assertThat(rule.at(NOW + 19).quota()).isEqualTo(Quota.parse("5/60s"));
    assertThat(rule.at(NOW + 20)).isEqualTo(rule(GCRA, "7/60s"));
    assertThat(rule.changing(List.of())).isEqualTo(rule(GCRA, "5/60s"));
  }

  @Test
  void whatNoRuleCanBeIsRefused() {
    Rule counter = rule(SLIDING_WINDOW_COUNTER, "5/60s");
    Change patient = new Change.Numbers(NOW, Quota.parse("5/60s"), 1);
    assertThatThrownBy(() -> counter.changing(List.of(patient)))
        .hasMessage("limit: a sliding window counter cannot reserve");
    assertThatThrownBy(() -> new Change.Reset(-1))
        .hasMessage("a change must be in the years 1970 to 2200: -1");
    assertThatThrownBy(() -> new Change.Numbers(Long.MAX_VALUE, Quota.parse("5/60s"), 0))
        .hasMessage("a change must be in the years 1970 to 2200: 9223372036854775807");
    Rule shaping = shaping(GCRA, "5/60s");
    assertThatThrownBy(() -> new InProcessLimiter(shaping, InstantSource.system()))
        .hasMessageStartingWith("a limiter in this process can only refuse, without ");
  }

  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void inProcessAllIsTheSame(Algorithm algorithm) {
    SplitTraffic traffic = new SplitTraffic(algorithm);
    InProcessLimiter limiter = new InProcessLimiter(traffic.rule, InstantSource.system());
    for (Arrival each : traffic.arrivals()) {
      assertThat(limiter.meter("key", each))
          .as("%s under %s", each, traffic.rule)
          .isEqualTo(meter.meter(each, List.of(new Bucket(traffic.rule, "key"))).decision(0));
    }
  }

  /** Arrivals in order, under a rule that changes every 40 arrivals. */
  private static final class SplitTraffic {
    private final Traffic traffic = new Traffic(7, 1, List.of(Quota.parse("5/60s")));
    private final List<Arrival> arrivals = new ArrayList<>();
    private final Rule rule;

    SplitTraffic(Algorithm algorithm) {
      for (int i = 0; i < 5_000; i++) arrivals.add(traffic.next().arrival());
      List<String> quotas = List.of("10/60s", "5/60s", "1/1d", "7/20s", "5/60s", "3/1h");
      List<Change> changes = new ArrayList<>();
      for (int i = 10; i < 5_000; i += 40) {
        long at = arrivals.get(i).nowMicros();
        changes.add(new Change.Numbers(at, Quota.parse(quotas.get(i / 40 % 6)), 0));
        if (i % 400 == 10) changes.add(new Change.Reset(at + 1));
      }
      rule = rule(algorithm, "5/60s", changes.toArray(Change[]::new));
    }

    List<Arrival> arrivals() {
      return arrivals;
    }
  }
}

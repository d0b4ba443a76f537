package io.sluice.limiter;

import static io.sluice.limiter.Algorithm.GCRA;
import static io.sluice.limiter.Algorithm.SLIDING_WINDOW_LOG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.limiter.Decision.Blocked;
import io.sluice.limiter.Decision.Conforming;
import io.sluice.limiter.Decision.NonConforming;
import io.sluice.limiter.Decision.Oversized;
import io.sluice.limiter.Metering.Standing;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests blocks of keys that exceed a limit, by example; RowMeterAgainstOracleTest compares random
 * traffic with the oracle.
 */
class BlockTest {
  private static final long SECOND = 1_000_000;
  private static final long MINUTE = 60 * SECOND;

  /** 2 in 10 seconds; a key that exceeds it is blocked for a minute. */
  private static final Rule RULE =
      Rule.policing("limit", Quota.parse("2/10s"), SLIDING_WINDOW_LOG).blocking(MINUTE);

  private final WatchedRows rows = new WatchedRows();
  private final RowMeter meter = new RowMeter(rows);

  private static List<Bucket> buckets(Rule... rules) {
    return List.of(rules).stream().map(rule -> new Bucket(rule, "key")).toList();
  }

  private Outcome meter(Rule rule, String id, long cost, long nowMicros) {
    return meter.meter(new Arrival(id, cost, nowMicros), buckets(rule));
  }

  private Decision decision(Rule rule, long cost, long nowMicros) {
    return meter(rule, "", cost, nowMicros).decision(0);
  }

  private static Rule shadow(Rule rule) {
    Quota quota = rule.quota();
    return new Rule("shadow", quota, rule.algorithm(), 0, rule.countsAttempts(), true)
        .blocking(rule.blockMicros());
  }

  @Test
  void whoGoesOverIsBlockedAndNothingExtendsThat() {
    decision(RULE, 2, SECOND);
    assertThat(decision(RULE, 1, 2 * SECOND)).isEqualTo(new NonConforming(0, MINUTE, MINUTE));
    assertThat(decision(RULE, 1, 20 * SECOND))
        .as("though the window is empty again")
        .isEqualTo(new Blocked(42 * SECOND, 42 * SECOND));
    assertThat(decision(RULE, 99, MINUTE)).as("oversized").isInstanceOf(Blocked.class);
    assertThat(decision(RULE, 0, MINUTE)).as("only asks").isInstanceOf(Blocked.class);
    assertThat(decision(RULE, 1, MINUTE + 2 * SECOND - 1)).isEqualTo(new Blocked(1, 1));
    assertThat(decision(RULE, 1, MINUTE + 2 * SECOND)).isInstanceOf(Conforming.class);
  }

  @Test
  void theRefusalThatBeginsABlockNamesTheLongerWait() {
    Rule brief = RULE.blocking(SECOND);
    decision(brief, 2, SECOND);
    assertThat(decision(brief, 1, 2 * SECOND))
        .isEqualTo(new NonConforming(0, 9 * SECOND, 9 * SECOND));
    assertThat(decision(brief, 1, 3 * SECOND))
        .as("its end, from when on counts are judged as they are")
        .isEqualTo(new NonConforming(0, 8 * SECOND, 8 * SECOND));
  }

  @Test
  void oversizedArrivalsAndQuestionsBlockNobody() {
    decision(RULE, 1, SECOND);
    Object before = rows.content();
    assertThat(decision(RULE, 3, SECOND)).isInstanceOf(Oversized.class);
    assertThat(decision(RULE, 0, SECOND)).isInstanceOf(Conforming.class);
    assertThat(rows.content()).isEqualTo(before);
  }

  @Test
  void whoOnlyAsksBlocksNobodyThoughItIsTooMuch() {
    Rule tries =
        new Rule("tries", Quota.parse("2/10m"), SLIDING_WINDOW_LOG, 0, true, false)
            .blocking(SECOND);
    for (int i = 0; i < 3; i++) decision(tries, 1, 0);
    assertThat(decision(tries, 0, SECOND)).isInstanceOf(NonConforming.class);
    assertThat(decision(tries, 0, SECOND)).isInstanceOf(NonConforming.class);
    assertThat(decision(tries, 1, SECOND)).isInstanceOf(NonConforming.class);
    assertThat(decision(tries, 0, SECOND)).isInstanceOf(Blocked.class);
  }

  @Test
  void aRefusalChangesNothingElse() {
    Rule plain = Rule.policing("limit", RULE.quota(), SLIDING_WINDOW_LOG);
    decision(RULE, 2, SECOND);
    Object before = rows.content();
    decision(RULE, 1, 2 * SECOND);
    assertThat(rows.content()).isNotEqualTo(before);
    decision(plain, 1, 30 * SECOND); // a rule without blocks stores none
    Object unblocked = rows.content();
    decision(plain, 0, 30 * SECOND);
    assertThat(rows.content()).isEqualTo(unblocked);
    assertThat(decision(RULE, 1, 30 * SECOND)).isInstanceOf(Conforming.class);
  }

  @Test
  void anEventThatAnotherLimitRefusesBlocksNobodyHere() {
    Rule other = Rule.policing("other", Quota.parse("1/1h"), GCRA);
    Outcome first = meter.meter(new Arrival("", 1, SECOND), buckets(RULE, other));
    assertThat(first.admitted()).isTrue();
    Outcome second = meter.meter(new Arrival("", 1, SECOND), buckets(RULE, other));
    assertThat(second.admitted()).isFalse();
    assertThat(decision(RULE, 1, SECOND)).isInstanceOf(Conforming.class);
  }

  /** Limits elsewhere decide first, but each side begins the blocks of its own limits. */
  @Test
  void whatIsSettledElsewhereBlocksWhoIsOverTheLimitHere() {
    decision(RULE, 2, SECOND);
    Metering metering = meter.probe(new Arrival("", 1, 2 * SECOND), buckets(RULE));
    Object before = rows.content();
    assertThat(metering.standing()).isEqualTo(Standing.refusing());
    assertThat(rows.content()).isEqualTo(before);
    metering.follow(new Outcome(Outcome.Kind.REFUSED, 0, List.of()));
    assertThat(decision(RULE, 1, 30 * SECOND)).isInstanceOf(Blocked.class);
  }

  @Test
  void aShadowLimitKeepsItsBlockAndLetsEverythingIn() {
    Rule watching = shadow(RULE);
    meter(watching, "", 2, SECOND);
    Outcome second = meter(watching, "", 1, SECOND);
    assertThat(second.admitted()).isTrue();
    assertThat(second.decision(0)).isEqualTo(new NonConforming(0, MINUTE, MINUTE));
    Outcome third = meter(watching, "", 1, 20 * SECOND);
    assertThat(third.admitted()).isTrue();
    assertThat(third.decision(0)).isInstanceOf(Blocked.class);
  }

  @Test
  void triesCountWhileBlockedWhereTriesCount() {
    Rule tries =
        new Rule("tries", Quota.parse("2/10m"), SLIDING_WINDOW_LOG, 0, true, false)
            .blocking(MINUTE);
    for (int i = 0; i < 3; i++) decision(tries, 1, i * SECOND);
    assertThat(decision(tries, 1, 50 * SECOND)).isInstanceOf(Blocked.class);
    assertThat(decision(tries, 1, 51 * SECOND)).isInstanceOf(Blocked.class);
    assertThat(decision(tries, 0, 3 * MINUTE).resetAfterMicros())
        .as("the last try is what counts longest")
        .isEqualTo(10 * MINUTE + 51 * SECOND - 3 * MINUTE);
  }

  @Test
  void aResetLiftsABlockAndOtherNumbersDoNot() {
    decision(RULE, 2, SECOND);
    decision(RULE, 1, SECOND);
    Change other = new Change.Numbers(2 * SECOND, Quota.parse("9/10s"), 0, 0);
    assertThat(decision(RULE.changing(List.of(other)), 1, 3 * SECOND))
        .isEqualTo(new Blocked(58 * SECOND, 58 * SECOND));
    Rule reset = RULE.changing(List.of(new Change.Reset(2 * SECOND)));
    assertThat(decision(reset, 1, 2 * SECOND - 1)).isInstanceOf(Blocked.class);
    assertThat(decision(reset, 1, 2 * SECOND)).isInstanceOf(Conforming.class);
  }

  @Test
  void theSameRecordIsAdmittedAgainWhileBlockedAndAnotherOfItsEventIsNot() {
    Identity first = new Identity(7, 1, true);
    Identity again = new Identity(7, 2, true);
    assertThat(meter.meter(new Arrival(first, 2, SECOND), buckets(RULE)).admitted()).isTrue();
    decision(RULE, 1, SECOND);
    Object before = rows.content();
    assertThat(meter.meter(new Arrival(first, 2, 2 * SECOND), buckets(RULE)))
        .isEqualTo(
            new Outcome(
                Outcome.Kind.ADMITTED,
                0,
                List.of(new Judgement(2 * SECOND, new Conforming(0, 59 * SECOND)))));
    Outcome claims = meter.meter(new Arrival(again, 2, 2 * SECOND), buckets(RULE));
    assertThat(claims.kind()).isEqualTo(Outcome.Kind.REFUSED);
    assertThat(claims.decision(0)).isInstanceOf(Blocked.class);
    assertThat(rows.content()).isEqualTo(before);
  }

  @Test
  void theRowIsSweptWhenTheBlockHasEnded() {
    decision(RULE, 2, SECOND);
    decision(RULE, 1, SECOND);
    RowSweeper sweeper = new RowSweeper(rows, List.of(RULE));
    rows.forEach((row, value) -> sweeper.sweep(row, value, MINUTE + SECOND - 1));
    assertThat(rows.size()).isOne();
    rows.forEach((row, value) -> sweeper.sweep(row, value, MINUTE + SECOND));
    assertThat(rows.size()).isZero();
  }

  @Test
  void aLimitInProcessBlocksAsWell() {
    InProcessLimiter limiter = new InProcessLimiter(RULE, InstantSource.system());
    limiter.meter("key", new Arrival("", 2, SECOND));
    assertThat(limiter.meter("key", new Arrival("", 1, 2 * SECOND)))
        .isEqualTo(new NonConforming(0, MINUTE, MINUTE));
    assertThat(limiter.meter("key", new Arrival("", 1, 20 * SECOND)))
        .isEqualTo(new Blocked(42 * SECOND, 42 * SECOND));
    assertThat(limiter.meter("key", new Arrival("", 1, MINUTE + 2 * SECOND)))
        .isInstanceOf(Conforming.class);
  }

  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void aLimitInProcessSaysWhatOneInRowsSays(Algorithm algorithm) {
    for (long seed = 1; seed <= 20; seed++) {
      Quota quota = Quota.parse("5/60s");
      Rule rule = Rule.policing("limit", quota, algorithm).blocking(seed * 7 * SECOND);
      Rule changing = rule.changing(List.of(new Change.Reset(seed)));
      InProcessLimiter inProcess = new InProcessLimiter(changing, InstantSource.system());
      Traffic traffic = new Traffic(seed, 1, List.of(quota));
      for (int i = 0; i < 2_000; i++) {
        Arrival arrival = traffic.next().arrival();
        Decision expected = meter.meter(arrival, buckets(changing)).decision(0);
        assertThat(inProcess.meter("key", arrival))
            .as("seed %d, event %d, %s", seed, i, arrival)
            .isEqualTo(expected);
        if (expected instanceof Blocked blocked) traffic.hint(blocked.retryAfterMicros());
      }
      rows.forEach((row, value) -> rows.delete(row));
    }
  }

  @Test
  void theLongestWaitDecidesAlsoIfItIsABlock() {
    Rule slow = Rule.policing("slow", Quota.parse("1/5s"), GCRA);
    List<Bucket> both = buckets(slow, RULE);
    meter.meter(new Arrival("", 1, SECOND), both);
    decision(RULE, 2, SECOND);
    assertThat(meter.meter(new Arrival("", 1, SECOND), both).deciding(both)).isOne();
    assertThat(RULE.changing(List.of()).blocks()).isTrue();
  }

  @Test
  void blocksThatMakeNoSenseAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RULE.blocking(-1))
        .withMessage("a block must be 0 to 3660d: -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RULE.with(RULE.quota(), 1, 1))
        .withMessage("limit: a limit that delays cannot block keys");
  }
}

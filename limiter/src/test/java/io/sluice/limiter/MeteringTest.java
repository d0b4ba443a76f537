package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.sluice.limiter.Decision.Conforming;
import io.sluice.limiter.Decision.NonConforming;
import io.sluice.limiter.Decision.Oversized;
import io.sluice.limiter.Decision.Waiting;
import io.sluice.limiter.Metering.Standing;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests several limits on one arrival by example; RowMeterAgainstOracleTest compares random traffic
 * with the oracle.
 */
class MeteringTest {
  private static final long SECOND = 1_000_000;
  private static final long MINUTE = 60 * SECOND;

  private final WatchedRows rows = new WatchedRows();
  private final RowMeter meter = new RowMeter(rows);

  private static Bucket polices(String name, String quota, Algorithm algorithm) {
    return new Bucket(Rule.policing(name, Quota.parse(quota), algorithm), "key");
  }

  private static Bucket reserves(String name, String quota, long patienceMicros) {
    return new Bucket(
        new Rule(name, Quota.parse(quota), Algorithm.GCRA, patienceMicros, false, false), "key");
  }

  private static Bucket counts(String name, String quota, boolean shadow) {
    return new Bucket(
        new Rule(name, Quota.parse(quota), Algorithm.SLIDING_WINDOW_LOG, 0, true, shadow), "key");
  }

  @Test
  void whatOneLimitRefusesIsChargedToNone() {
    Bucket wide = polices("wide", "5/60s", Algorithm.SLIDING_WINDOW_LOG);
    Bucket narrow = polices("narrow", "1/60s", Algorithm.GCRA);
    assertThat(meter.meter(new Arrival("a", 1, 1), List.of(wide, narrow)).admitted()).isTrue();
    Object before = rows.content();
    Outcome refused = meter.meter(new Arrival("b", 1, 1), List.of(wide, narrow));
    assertThat(refused.admitted()).isFalse();
    assertThat(refused.judgements())
        .extracting(Judgement::decision)
        .containsExactly(new Conforming(4, MINUTE), new NonConforming(0, MINUTE, MINUTE));
    assertThat(refused.deciding(List.of(wide, narrow))).isEqualTo(1);
    assertThat(rows.content()).isEqualTo(before);
  }

  @Test
  void aReservationIsChargedToAllAtTheLatestOfTheirInstants() {
    Bucket slow = reserves("slow", "1/60s", 5 * MINUTE);
    Bucket fast = reserves("fast", "1/1s", 5 * MINUTE);
    List<Bucket> buckets = List.of(slow, fast);
    assertThat(meter.meter(new Arrival("a", 1, SECOND), buckets).slotMicros()).isZero();
    Outcome second = meter.meter(new Arrival("b", 1, SECOND), buckets);
    assertThat(second.slotMicros()).isEqualTo(MINUTE + SECOND);
    assertThat(second.decision(1)).isEqualTo(new Waiting(0, SECOND, MINUTE + SECOND));
    assertThat(second.deciding(buckets)).isZero();
    Outcome onlyFast = meter.meter(new Arrival("c", 1, SECOND), List.of(fast));
    assertThat(onlyFast.slotMicros()).isEqualTo(MINUTE + 2 * SECOND);
  }

  @Test
  void patienceIsInclusiveAndTheImpatientRefuse() {
    Bucket patient = reserves("patient", "1/60s", MINUTE);
    Bucket impatient = polices("impatient", "1/1s", Algorithm.SLIDING_WINDOW_LOG);
    assertThat(meter.meter(new Arrival("a", 1, SECOND), List.of(patient)).slotMicros()).isZero();
    assertThat(meter.meter(new Arrival("b", 1, SECOND), List.of(patient)).slotMicros())
        .isEqualTo(MINUTE + SECOND);
    assertThat(meter.meter(new Arrival("c", 1, 2 * SECOND - 1), List.of(patient)).admitted())
        .isFalse();
    assertThat(meter.meter(new Arrival("c", 1, 2 * MINUTE), List.of(patient)).slotMicros())
        .isEqualTo(2 * MINUTE + SECOND);
    meter.meter(new Arrival("d", 1, 2 * MINUTE), List.of(impatient));
    List<Bucket> both = List.of(patient, impatient);
    assertThat(meter.meter(new Arrival("e", 1, 2 * MINUTE + SECOND - 1), both).admitted())
        .isFalse();
    assertThat(meter.meter(new Arrival("e", 1, 2 * MINUTE + SECOND), both).slotMicros())
        .isEqualTo(3 * MINUTE + SECOND);
  }

  @Test
  void aShapingLimitKeepsTheOrderOfItsKeyThoughItsOwnQuotaHasRoom() {
    Bucket roomy = reserves("roomy", "10/1s", 5 * MINUTE);
    Bucket tight = reserves("tight", "1/60s", 5 * MINUTE);
    meter.meter(new Arrival("a", 1, SECOND), List.of(roomy, tight));
    Outcome waits = meter.meter(new Arrival("b", 1, SECOND), List.of(roomy, tight));
    Outcome behind = meter.meter(new Arrival("c", 1, 2 * SECOND), List.of(roomy));
    assertThat(behind.slotMicros()).isEqualTo(waits.slotMicros()).isEqualTo(MINUTE + SECOND);
  }

  @Test
  void aShadowLimitDecidesButNeverActs() {
    Rule watching = new Rule("watch", Quota.parse("1/60s"), Algorithm.GCRA, 0, false, true);
    List<Bucket> buckets =
        List.of(new Bucket(watching, "key"), polices("acts", "3/60s", Algorithm.GCRA));
    meter.meter(new Arrival("a", 1, 1), buckets);
    Outcome second = meter.meter(new Arrival("b", 1, 1), buckets);
    assertThat(second.admitted()).isTrue();
    assertThat(second.decision(0)).isInstanceOf(NonConforming.class);
    assertThat(second.deciding(buckets)).isEqualTo(1);
    assertThat(Outcome.enforced(buckets)).isTrue();
    assertThat(Outcome.enforced(buckets.subList(0, 1))).isFalse();
    Outcome unenforced = meter.meter(new Arrival("c", 1, 1), buckets.subList(0, 1));
    assertThat(unenforced.admitted()).isTrue();
    assertThatIllegalStateException().isThrownBy(() -> unenforced.deciding(buckets.subList(0, 1)));
  }

  @Test
  void aShadowLimitCountsTheAttemptsItWouldRefuse() {
    List<Bucket> buckets = List.of(counts("watch", "1/60s", true));
    assertThat(meter.meter(new Arrival("a", 1, 0), buckets).decision(0))
        .isEqualTo(new Conforming(0, MINUTE));
    assertThat(meter.meter(new Arrival("b", 1, SECOND), buckets).decision(0))
        .isEqualTo(new NonConforming(0, MINUTE, MINUTE));
  }

  @Test
  void everyTryCountsThoughItIsTheSameRecord() {
    List<Bucket> buckets = List.of(counts("tries", "1/60s", false));
    assertThat(meter.meter(new Arrival("a", 1, 0), buckets).admitted()).isTrue();
    assertThat(meter.meter(new Arrival("b", 1, 0), buckets).admitted()).isFalse();
    assertThat(meter.meter(new Arrival("b", 1, SECOND), buckets).decision(0))
        .isEqualTo(new NonConforming(0, MINUTE, MINUTE));
  }

  @Test
  void whatIsOversizedForOneLimitDecidesWhateverTheOthersSay() {
    Bucket small = polices("small", "2/1s", Algorithm.SLIDING_WINDOW_COUNTER);
    Bucket large = polices("large", "9/1d", Algorithm.SLIDING_WINDOW_LOG);
    List<Bucket> buckets = List.of(large, small);
    meter.meter(new Arrival("a", 9, 1), buckets.subList(0, 1));
    Outcome outcome = meter.meter(new Arrival("b", 3, 1), buckets);
    assertThat(outcome.admitted()).isFalse();
    assertThat(outcome.decision(1)).isEqualTo(new Oversized(3, 2, 2, 0));
    assertThat(outcome.deciding(buckets)).isEqualTo(1);
  }

  @Test
  void theTightestLimitDecidesOnWhatIsAdmitted() {
    List<Bucket> buckets =
        List.of(
            polices("a", "9/60s", Algorithm.GCRA),
            polices("b", "5/60s", Algorithm.SLIDING_WINDOW_LOG),
            polices("c", "7/60s", Algorithm.SLIDING_WINDOW_COUNTER));
    assertThat(meter.meter(new Arrival("a", 1, 1), buckets).deciding(buckets)).isEqualTo(1);
  }

  @Test
  void nothingChangesBeforeTheMeteringIsSettled() {
    List<Bucket> buckets = List.of(polices("a", "1/60s", Algorithm.SLIDING_WINDOW_LOG));
    Metering metering = meter.probe(new Arrival("a", 1, 1), buckets);
    assertThat(metering.standing()).isEqualTo(Standing.conforming(0));
    assertThat(rows.size()).isZero();
    assertThat(metering.settle(Standing.refusing()).admitted()).isFalse();
    assertThat(rows.size()).isZero();
    Standing elsewhere = Standing.conforming(5 * SECOND);
    assertThat(meter.probe(new Arrival("a", 1, 1), buckets).settle(elsewhere).slotMicros())
        .isEqualTo(5 * SECOND);
    assertThat(meter.meter(new Arrival("b", 1, 2 * SECOND), buckets).decision(0))
        .isEqualTo(new NonConforming(0, MINUTE + 3 * SECOND, MINUTE + 3 * SECOND));
  }

  @Test
  void arrivalsAndRulesThatMakeNoSenseAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Arrival("", -1, 0))
        .withMessage("cost must be at least 0: -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Arrival("", 1, -1))
        .withMessage("time must be in the years 1970 to 2200: -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Arrival("", 1, Arrival.LATEST_MICROS))
        .withMessageContaining("1970 to 2200");
    Quota quota = Quota.parse("1/1s");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rule.policing("", quota, Algorithm.GCRA))
        .withMessage("a rule needs a name");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Rule("a", quota, Algorithm.GCRA, -1, false, false))
        .withMessage("patience must be 0 to 3660d: -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Rule("a", quota, Algorithm.GCRA, 0, true, false))
        .withMessage("a: only window algorithms without delay can count attempts");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Rule("a", quota, Algorithm.SLIDING_WINDOW_COUNTER, 1, false, false))
        .withMessage("a: a sliding window counter cannot reserve");
  }
}

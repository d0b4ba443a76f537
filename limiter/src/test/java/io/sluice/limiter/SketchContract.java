package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract test of sketches of distinct values, for every backend. */
public abstract class SketchContract {
  /** An instant at which a sixth of a day begins. */
  protected static final long NOON = 1_790_000_000_000_000L / 14_400_000_000L * 14_400_000_000L;

  protected static final long SIXTH = 14_400_000_000L;

  private long events;

  protected abstract List<Outcome> meter(List<Arrival> arrivals, List<Bucket> buckets);

  protected static Rule rule(long permits) {
    return Rule.policing("reach", new Quota(permits, 6 * SIXTH, 1), Algorithm.HYPERLOGLOG);
  }

  protected static Bucket bucket(Rule rule, long seed, long i) {
    ValueHash value = ValueHash.of(List.of("user-" + seed + "-" + i));
    return new Bucket(rule, "c", "c", value);
  }

  private Arrival arrival(long afterNoon) {
    return new Arrival("event-" + events++, 1, NOON + afterNoon);
  }

  private Outcome meter(Rule rule, long afterNoon, long i) {
    return meter(arrival(afterNoon), bucket(rule, 0, i));
  }

  private Outcome meter(Arrival arrival, Bucket bucket) {
    return meter(List.of(arrival), List.of(bucket)).get(0);
  }

  private long admit(Rule rule, long afterNoon, long seed, long from, long to) {
    long admitted = 0;
    for (long i = from; i < to; i++) {
      if (meter(arrival(afterNoon), bucket(rule, seed, i)).admitted()) admitted++;
    }
    return admitted;
  }

  @ParameterizedTest
  @CsvSource({"50, 0", "1000, 30"})
  void itTakesHoldAtAboutThePermits(long permits, long within) {
    long admitted = admit(rule(permits), 0, 1, 0, 5 * permits);
    assertThat(admitted).isCloseTo(permits, within(within));
  }

  @Test
  void atTheQuotaEveryOneIsRefusedAndToldOfTheNextSixth() {
    Rule rule = rule(10);
    admit(rule, 0, 0, 0, 10);
    assertThat(meter(rule, 5, 3).decision(0))
        .isEqualTo(new Decision.NonConforming(0, SIXTH - 5, 7 * SIXTH - 5));
    assertThat(meter(rule, 7 * SIXTH - 1, 11).admitted()).isFalse();
    assertThat(meter(rule, 7 * SIXTH, 11).decision(0))
        .isEqualTo(new Decision.Conforming(9, 7 * SIXTH));
  }

  @Test
  void belowItWhatIsThereAddsNothing() {
    Rule rule = rule(10);
    for (int i = 0; i < 100; i++) {
      assertThat(meter(rule, i, i % 9).decision(0).remaining()).isEqualTo(Math.max(1, 9 - i));
    }
  }

  @Test
  void eachSixthLeavesByItself() {
    Rule rule = rule(100);
    for (int sixth = 0; sixth < 7; sixth++) admit(rule, sixth * SIXTH, 0, 5 * sixth, 5 * sixth + 5);
    assertThat(meter(rule, 7 * SIXTH - 1, 0).decision(0).remaining()).isEqualTo(65);
    assertThat(meter(rule, 7 * SIXTH, 5).decision(0).remaining()).as("0 is there").isEqualTo(69);
    assertThat(meter(rule, 8 * SIXTH, 5).decision(0).remaining()).as("5 is there").isEqualTo(73);
    assertThat(meter(rule, 30 * SIXTH, 5).decision(0).remaining()).isEqualTo(99);
  }

  @Test
  void whoWasAdmittedIsAdmittedAgainAndAskingAddsNothing() {
    Rule rule = rule(10);
    admit(rule, 0, 0, 0, 9);
    Arrival asks = new Arrival("asks", 0, NOON);
    assertThat(meter(asks, bucket(rule, 0, 77)).decision(0).remaining()).isEqualTo(1);
    Arrival last = new Arrival(new Identity(77, 1, true), 8, NOON);
    assertThat(meter(last, bucket(rule, 0, 9)).admitted()).isTrue();
    assertThat(meter(last, bucket(rule, 0, 9)).decision(0))
        .isEqualTo(new Decision.Conforming(0, 7 * SIXTH));
    Arrival another = new Arrival(new Identity(77, 2, true), 1, NOON);
    assertThat(meter(another, bucket(rule, 0, 9)).kind()).isEqualTo(Outcome.Kind.DUPLICATE);
  }

  private static Bucket several(Rule rule, long from, long to) {
    List<ValueHash> values =
        LongStream.range(from, to).mapToObj(i -> bucket(rule, 0, i).value()).toList();
    return Bucket.ofValues(rule, "c", "c", values);
  }

  private Decision meterAll(Rule rule, long afterNoon, long from, long to) {
    return meter(arrival(afterNoon), several(rule, from, to)).decision(0);
  }

  @Test
  void severalValuesAreCountedAllOrNone() {
    Rule rule = rule(10);
    assertThat(meterAll(rule, 0, 0, 6).remaining()).isEqualTo(4);
    assertThat(meterAll(rule, 1, 1, 6).remaining()).as("known values").isEqualTo(4);
    assertThat(meterAll(rule, 2, 3, 11))
        .as("four of five new values would fit")
        .isEqualTo(new Decision.NonConforming(4, SIXTH - 2, 7 * SIXTH - 2));
    assertThat(meter(rule, 3, 6).decision(0).remaining()).as("none is counted").isEqualTo(3);
    assertThat(meterAll(rule, 4, 0, 10).remaining()).as("three new values fit").isZero();
    assertThat(meterAll(rule, 5, 0, 2)).isInstanceOf(Decision.NonConforming.class);
    assertThat(meterAll(rule, 7 * SIXTH, 0, 10).remaining()).isZero();
  }

  @Test
  void moreValuesThanPermitsNeverConform() {
    Rule rule = rule(10);
    assertThat(meterAll(rule, 0, 0, 11)).isEqualTo(new Decision.Oversized(11, 10, 10, 0));
    assertThat(meterAll(rule, 1, 0, 10).remaining()).isZero();
  }

  /** Each event has a hundred values, of which up to the half are known. */
  @Test
  void severalValuesAreCountedAsIfTheyCameOneByOne() {
    Rule together = rule(1_000_000);
    Rule single = Rule.policing("single", together.quota(), Algorithm.HYPERLOGLOG);
    for (int i = 0; i < 30; i++) {
      long at = i * SIXTH / 3;
      Decision all = meterAll(together, at, 50 * i, 50 * i + 100);
      long alone = 0;
      for (long each = 50L * i; each < 50L * i + 100; each++) {
        alone = meter(arrival(at), bucket(single, 0, each)).decision(0).remaining();
      }
      assertThat(all.remaining()).as("event %d", i).isEqualTo(alone);
    }
  }

  @Test
  void aResetForgetsAndTheNextSixthStaysWhatItIs() {
    Rule rule = rule(10);
    admit(rule, 0, 0, 0, 10);
    Rule reset = rule.changing(List.of(new Change.Reset(NOON + 10)));
    assertThat(meter(reset, 9, 20).admitted()).isFalse();
    assertThat(meter(reset, 10, 0).decision(0).remaining()).isEqualTo(9);
    assertThat(meter(reset, 11, 1).decision(0).remaining()).isEqualTo(8);
    Change fewer = new Change.Numbers(NOON + 12, new Quota(3, 6 * SIXTH, 1), 0);
    Rule more = rule.changing(List.of(new Change.Reset(NOON + 10), fewer));
    assertThat(meter(more, 12, 2).decision(0).remaining()).isZero();
    assertThat(meter(more, 13, 3).admitted()).isFalse();
  }

  /** The numbers of its sixths are far higher than those of a longer period. */
  @ParameterizedTest
  @ValueSource(longs = {1, 100_000})
  void withALongerPeriodItBeginsAnewAndGoesOn(long longer) {
    Rule rule = Rule.policing("reach", new Quota(3, 6_000_000, 1), Algorithm.HYPERLOGLOG);
    admit(rule, 0, 0, 0, 3);
    Quota more = new Quota(3, 6_000_000 * (1 + longer), 1);
    long sixth = more.periodMicros() / 6;
    Rule reloaded = Rule.policing("reach", more, Algorithm.HYPERLOGLOG);
    assertThat(admit(reloaded, 10, 1, 0, 5)).isEqualTo(3);
    assertThat(meter(reloaded, 11, 9).decision(0).resetAfterMicros()).isLessThan(8 * sixth);
    assertThat(admit(reloaded, 8 * sixth, 2, 0, 5)).isEqualTo(3);
  }
}

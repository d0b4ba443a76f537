package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract test of logs of distinct values, for every backend. */
public abstract class DistinctContract {
  private static final long NOON = 1_790_000_000_000_000L;
  private static final long MINUTE = 60_000_000;

  private static final Rule TWO = rule("two", 2);

  private int events;

  protected abstract Outcome meter(Arrival arrival, List<Bucket> buckets);

  private static Rule rule(String name, long permits) {
    Quota quota = new Quota(permits, MINUTE, 1);
    return Rule.policing(name, quota, Algorithm.DISTINCT_LOG);
  }

  private static Bucket bucket(Rule rule, String value) {
    return new Bucket(rule, "ada", "ada", ValueHash.of(List.of(value)));
  }

  private Arrival arrival(long afterNoon) {
    return new Arrival("event-" + events++, 1, NOON + afterNoon);
  }

  private Decision meter(long afterNoon, String value) {
    return meter(arrival(afterNoon), List.of(bucket(TWO, value))).decision(0);
  }

  @Test
  void aValueIsCountedOnce() {
    assertThat(meter(0, "bob").remaining()).isEqualTo(1);
    assertThat(meter(1, "bob")).isEqualTo(new Decision.Conforming(1, MINUTE - 1));
    assertThat(meter(2, "eve").remaining()).isZero();
    assertThat(meter(3, "dan")).isEqualTo(new Decision.NonConforming(0, MINUTE - 3, MINUTE - 1));
    assertThat(meter(4, "bob")).isEqualTo(new Decision.Conforming(0, MINUTE - 2));
  }

  /** A value is not renewed when it comes again. */
  @Test
  void aValueLeavesOnePeriodAfterItWasAdmitted() {
    meter(0, "bob");
    meter(10, "eve");
    meter(MINUTE - 1, "bob");
    assertThat(meter(MINUTE - 1, "dan")).isInstanceOf(Decision.NonConforming.class);
    assertThat(meter(MINUTE, "dan")).isInstanceOf(Decision.Conforming.class);
    assertThat(meter(MINUTE, "bob")).isEqualTo(new Decision.NonConforming(0, 10, MINUTE));
  }

  @Test
  void aCostOfZeroAsksAndAHigherOneCountsAsOne() {
    for (long cost : new long[] {0, 7, Long.MAX_VALUE}) {
      Arrival arrival = new Arrival("cost-" + cost, cost, NOON);
      long left = cost == 0 ? 2 : cost == 7 ? 1 : 0;
      assertThat(meter(arrival, List.of(bucket(TWO, "value-" + cost))).decision(0).remaining())
          .as("cost %d", cost)
          .isEqualTo(left);
    }
    Arrival asks = new Arrival("asks", 0, NOON);
    assertThat(meter(asks, List.of(bucket(TWO, "none"))).admitted()).isTrue();
  }

  @Test
  void theSameRecordIsChargedOnceAndAnotherOneOfTheEventIsADuplicate() {
    Arrival first = new Arrival(new Identity(77, 1, true), 1, NOON);
    Arrival second = new Arrival(new Identity(77, 2, true), 1, NOON);
    assertThat(meter(first, List.of(bucket(TWO, "bob"))).admitted()).isTrue();
    meter(0, "eve");
    Outcome again = meter(first, List.of(bucket(TWO, "another value by mistake")));
    assertThat(again.admitted()).isTrue();
    assertThat(again.decision(0)).isEqualTo(new Decision.Conforming(0, MINUTE));
    assertThat(meter(second, List.of(bucket(TWO, "bob"))).kind()).isEqualTo(Outcome.Kind.DUPLICATE);
  }

  @Test
  void anEventThatChargedNothingLeavesNothing() {
    Arrival first = new Arrival(new Identity(77, 1, true), 1, NOON + 1);
    Arrival second = new Arrival(new Identity(77, 2, true), 1, NOON + 1);
    meter(0, "bob");
    assertThat(meter(first, List.of(bucket(TWO, "bob"))).admitted()).isTrue();
    assertThat(meter(second, List.of(bucket(TWO, "bob"))).kind()).isEqualTo(Outcome.Kind.ADMITTED);
  }

  @Test
  void nothingIsAdmittedThatAnotherLimitRefuses() {
    Rule one = Rule.policing("one", Quota.parse("1/60s"), Algorithm.GCRA);
    Bucket funnel = new Bucket(one, "ada");
    assertThat(meter(arrival(0), List.of(bucket(TWO, "bob"), funnel)).admitted()).isTrue();
    assertThat(meter(arrival(1), List.of(bucket(TWO, "eve"), funnel)).admitted()).isFalse();
    assertThat(meter(2, "dan")).isEqualTo(new Decision.Conforming(0, MINUTE));
  }

  /** The window that ends at the slot must hold the value, which would have left it by then. */
  @Test
  void aTurnAfterAValueWouldHaveLeftKeepsItsPlace() {
    Rule slow =
        new Rule("slow", Quota.parse("1/90s"), Algorithm.GCRA, 3_600_000_000L, false, false);
    Bucket funnel = new Bucket(slow, "ada");
    meter(arrival(0), List.of(bucket(TWO, "bob"), funnel));
    Outcome late = meter(arrival(1), List.of(bucket(TWO, "bob"), funnel));
    assertThat(late.slotMicros()).isEqualTo(NOON + 90_000_000);
    assertThat(meter(2, "eve").remaining()).isZero();
    assertThat(meter(MINUTE + 2, "dan").remaining()).as("bob's turn is to come").isZero();
    assertThat(meter(MINUTE + 3, "eve")).isInstanceOf(Decision.NonConforming.class);
    assertThat(meter(MINUTE + 3, "bob")).isInstanceOf(Decision.Conforming.class);
    assertThat(meter(90_000_000 + MINUTE - 1, "eve").remaining()).isZero();
  }

  private Decision meterAll(long afterNoon, String... values) {
    return meter(arrival(afterNoon), List.of(several(TWO, values))).decision(0);
  }

  private static Bucket several(Rule rule, String... values) {
    List<ValueHash> hashes = Stream.of(values).map(each -> ValueHash.of(List.of(each))).toList();
    return Bucket.ofValues(rule, "ada", "ada", hashes);
  }

  @Test
  void eachOfSeveralValuesIsCountedOnce() {
    assertThat(meterAll(0, "bob", "bob").remaining()).isEqualTo(1);
    assertThat(meterAll(1, "eve", "bob").remaining()).isZero();
    assertThat(meterAll(2, "bob", "eve")).isEqualTo(new Decision.Conforming(0, MINUTE - 1));
    assertThat(meter(3, "eve")).isInstanceOf(Decision.Conforming.class);
  }

  @Test
  void severalValuesAreCountedAllOrNone() {
    meter(0, "bob");
    assertThat(meterAll(1, "eve", "dan"))
        .as("one of both would fit")
        .isEqualTo(new Decision.NonConforming(1, MINUTE - 1, MINUTE - 1));
    assertThat(meter(2, "joe").remaining()).as("neither is counted").isZero();
    assertThat(meterAll(3, "bob", "dan"))
        .as("bob stays in the window until joe has left too")
        .isEqualTo(new Decision.NonConforming(0, MINUTE - 1, MINUTE - 1));
    assertThat(meterAll(MINUTE + 2, "bob", "dan").remaining()).isZero();
  }

  @Test
  void moreNewValuesThanPermitsNeverConform() {
    assertThat(meterAll(0, "bob", "eve", "dan")).isEqualTo(new Decision.Oversized(3, 2, 2, 0));
    Arrival asks = new Arrival("asks", 0, NOON);
    assertThat(meter(asks, List.of(several(TWO, "bob", "eve", "dan"))).admitted()).isTrue();
    assertThat(meterAll(1, "bob", "eve").remaining()).isZero();
    assertThat(meterAll(2, "bob", "eve", "dan"))
        .isEqualTo(new Decision.Oversized(3, 2, 0, MINUTE - 1));
  }

  @Test
  void aRecordWithSeveralValuesIsChargedOnce() {
    Arrival first = new Arrival(new Identity(77, 1, true), 1, NOON);
    Arrival second = new Arrival(new Identity(77, 2, true), 1, NOON);
    List<Bucket> both = List.of(several(TWO, "bob", "eve"));
    assertThat(meter(first, both).decision(0).remaining()).isZero();
    assertThat(meter(first, both).decision(0)).isEqualTo(new Decision.Conforming(0, MINUTE));
    assertThat(meter(second, both).kind()).isEqualTo(Outcome.Kind.DUPLICATE);
  }

  /** Two limits on distinct values, one of which has several values. */
  @Test
  void severalValuesOfOneLimitAndOneOfAnotherAreCountedTogether() {
    Rule seven = rule("seven", 7);
    List<Bucket> buckets = List.of(bucket(TWO, "bob"), several(seven, "a", "b", "c"));
    Outcome outcome = meter(arrival(0), buckets);
    assertThat(outcome.decision(0).remaining()).isEqualTo(1);
    assertThat(outcome.decision(1).remaining()).isEqualTo(4);
    meter(1, "eve");
    List<Bucket> refused = List.of(bucket(TWO, "dan"), several(seven, "d", "e"));
    assertThat(meter(arrival(2), refused).admitted()).isFalse();
    List<Bucket> known = List.of(bucket(TWO, "bob"), several(seven, "c", "d"));
    assertThat(meter(arrival(3), known).decision(1).remaining()).isEqualTo(3);
  }

  @Test
  void aThousandValuesAreCountedAtOnce() {
    Rule thousand = rule("thousand", 1_000);
    String[] values = IntStream.range(0, 1_000).mapToObj(i -> "value-" + i).toArray(String[]::new);
    Outcome first = meter(arrival(0), List.of(several(thousand, values)));
    assertThat(first.decision(0)).isEqualTo(new Decision.Conforming(0, MINUTE));
    values[500] = "new";
    assertThat(meter(arrival(1), List.of(several(thousand, values))).decision(0))
        .isEqualTo(new Decision.NonConforming(0, MINUTE - 1, MINUTE - 1));
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void noWindowHoldsMoreThanThePermitsAndTheWaitIsTight(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Rule seven = rule("seven-" + seed, 7);
    Map<Integer, Long> counted = new HashMap<>();
    long now = 0;
    int refused = 0;
    for (int i = 0; i < 1_500; i++) {
      now += random.nextInt(4) == 0 ? random.nextLong(MINUTE / 4) : random.nextLong(1_000);
      int value = random.nextInt(20);
      Decision decision = decision(now, seven, value);
      if (decision instanceof Decision.NonConforming over) {
        refused++;
        long at = now + over.retryAfterMicros();
        assertThat(decision(at - 1, seven, value))
            .as("seed %d, %d, just before its time", seed, i)
            .isInstanceOf(Decision.NonConforming.class);
        now = at;
        decision = decision(now, seven, value);
      }
      assertThat(decision).as("seed %d, %d", seed, i).isInstanceOf(Decision.Conforming.class);
      long cutoff = now - MINUTE;
      counted.values().removeIf(at -> at <= cutoff);
      counted.putIfAbsent(value, now);
      assertThat(decision.remaining())
          .as("seed %d, %d: new values within a minute", seed, i)
          .isEqualTo(7 - counted.size());
    }
    assertThat(refused).as("seed %d", seed).isPositive();
  }

  private Decision decision(long afterNoon, Rule rule, int value) {
    return meter(arrival(afterNoon), List.of(bucket(rule, "v" + value))).decision(0);
  }
}

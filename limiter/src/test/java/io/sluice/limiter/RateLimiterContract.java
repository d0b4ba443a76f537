package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Decision.Conforming;
import io.sluice.limiter.Decision.NonConforming;
import io.sluice.limiter.Decision.Oversized;
import io.sluice.testing.TestScale;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Contract test of all limiters, for every algorithm and backend. A backend extends it and creates
 * its limiters. Each test runs for each algorithm and quota: with one seed, or three at full scale.
 */
public abstract class RateLimiterContract {
  /**
   * Periods of at least a minute, so that a store with a clock of its own expires nothing
   * meanwhile.
   */
  private static final List<String> QUOTAS = List.of("5/60s", "7/60s", "1/1m", "60/1h", "1000/1d");

  private static final long SEEDS = TestScale.of(1, 3);

  /** Creates a limiter without any state. */
  protected abstract Subject subject(Quota quota, Algorithm algorithm);

  /** Returns how many arrivals a test may send; fewer where each is a round trip. */
  protected int arrivals() {
    return TestScale.of(1_000, 5_000);
  }

  static Stream<Arguments> cases() {
    return Scenarios.algorithmsOfEvents()
        .flatMap(
            algorithm ->
                QUOTAS.stream()
                    .flatMap(
                        quota ->
                            LongStream.rangeClosed(1, SEEDS)
                                .mapToObj(seed -> Arguments.of(algorithm, quota, seed))));
  }

  private record Admitted(long atMicros, long cost) {}

  @ParameterizedTest(name = "{0}, {1}, seed {2}")
  @MethodSource("cases")
  void noWindowHoldsMoreThanTheQuotaPromises(Algorithm algorithm, String text, long seed) {
    Quota quota = Quota.parse(text);
    Subject subject = subject(quota, algorithm);
    Traffic traffic = new Traffic(seed, 2, List.of(quota));
    Map<Integer, List<Admitted>> admitted = new HashMap<>();
    for (int i = 0; i < arrivals(); i++) {
      Traffic.Event event = traffic.next();
      Arrival arrival = anonymous(event.arrival(), event.arrival().cost());
      Decision decision = subject.meter("key-" + event.key(), arrival);
      if (decision instanceof NonConforming refused) traffic.hint(refused.retryAfterMicros());
      if (!(decision instanceof Conforming) || arrival.cost() == 0) continue;
      List<Admitted> ofKey = admitted.computeIfAbsent(event.key(), key -> new ArrayList<>());
      ofKey.add(new Admitted(arrival.nowMicros(), arrival.cost()));
      assertWithinPromise(ofKey, quota, algorithm, seed);
    }
    assertThat(admitted).as("seed %d", seed).hasSize(2);
  }

  private static void assertWithinPromise(
      List<Admitted> admitted, Quota quota, Algorithm algorithm, long seed) {
    long now = admitted.get(admitted.size() - 1).atMicros();
    long sum = 0;
    for (int i = admitted.size() - 1; i >= 0; i--) {
      Admitted each = admitted.get(i);
      long span = now - each.atMicros();
      if (span >= 4 * quota.periodMicros()) return;
      sum += each.cost();
      boolean calendar = algorithm == Algorithm.CALENDAR_WINDOW;
      if (calendar && each.atMicros() / quota.periodMicros() == now / quota.periodMicros()) {
        assertThat(sum)
            .as("seed %d: permits in the period of %d", seed, now)
            .isLessThanOrEqualTo(quota.permits());
      }
      if (algorithm != Algorithm.GCRA && span >= quota.periodMicros()) return;
      assertThat(sum)
          .as("seed %d: permits from %d through %d", seed, each.atMicros(), now)
          .isLessThanOrEqualTo(promised(quota, algorithm, span));
    }
  }

  /**
   * Returns the most permits that may be admitted from any instant until {@code span} later, both
   * included.
   */
  private static long promised(Quota quota, Algorithm algorithm, long span) {
    return switch (algorithm) {
      case GCRA -> quota.burst() + floor(span, quota);
      case SLIDING_WINDOW_LOG, DISTINCT_LOG -> quota.permits();
      case HYPERLOGLOG -> throw new AssertionError("it counts no arrivals");
      case CALENDAR_WINDOW -> 2 * quota.permits();
      case SLIDING_WINDOW_COUNTER -> 2 * quota.permits() - 1;
      case BLOOM -> throw new IllegalArgumentException("a filter has no permits");
    };
  }

  private static long floor(long span, Quota quota) {
    return BigInteger.valueOf(span)
        .multiply(BigInteger.valueOf(quota.permits()))
        .divide(BigInteger.valueOf(quota.periodMicros()))
        .longValueExact();
  }

  @ParameterizedTest(name = "{0}, {1}, seed {2}")
  @MethodSource("cases")
  void retryAfterIsTight(Algorithm algorithm, String text, long seed) {
    Quota quota = Quota.parse(text);
    Subject subject = subject(quota, algorithm);
    SplittableRandom random = new SplittableRandom(seed);
    Traffic traffic = new Traffic(seed, 2, List.of(quota));
    int refusals = 0;
    long now = 0;
    for (int i = 0; i < arrivals() / 4; i++) {
      Traffic.Event event = traffic.next();
      String key = "key-" + event.key();
      now = Math.max(now, event.arrival().nowMicros());
      Arrival arrival = new Arrival("", event.arrival().cost(), now);
      if (!(subject.meter(key, arrival) instanceof NonConforming refused)) continue;
      refusals++;
      assertThat(refused.retryAfterMicros()).as("seed %d, %s", seed, arrival).isPositive();
      if (random.nextBoolean()) continue; // so that it does not always wait
      long conformsAt = now + refused.retryAfterMicros();
      if (conformsAt >= Arrival.LATEST_MICROS) return;
      assertThat(subject.meter(key, at(arrival, conformsAt - 1)))
          .as("seed %d, 1 microsecond before %d, %s", seed, conformsAt, arrival)
          .isInstanceOf(NonConforming.class);
      assertThat(subject.meter(key, at(arrival, conformsAt)))
          .as("seed %d, at %d, %s", seed, conformsAt, arrival)
          .isInstanceOf(Conforming.class);
      now = conformsAt;
    }
    assertThat(refusals).as("seed %d", seed).isPositive();
  }

  @ParameterizedTest(name = "{0}, {1}, seed {2}")
  @MethodSource("cases")
  void aConformingCostOfNEqualsNArrivalsOfOne(Algorithm algorithm, String text, long seed) {
    Quota quota = Quota.parse(text);
    Subject together = subject(quota, algorithm);
    Subject oneByOne = subject(quota, algorithm);
    Traffic traffic = new Traffic(seed, 2, List.of(quota));
    int conforming = 0;
    for (int i = 0; i < arrivals() / 8; i++) {
      Traffic.Event event = traffic.next();
      String key = "key-" + event.key();
      Arrival arrival = anonymous(event.arrival(), 1 + event.arrival().cost() % 50);
      Decision decision = together.meter(key, arrival);
      if (!(decision instanceof Conforming)) continue;
      conforming++;
      Decision last = null;
      for (long n = 0; n < arrival.cost(); n++) {
        last = oneByOne.meter(key, anonymous(arrival, 1));
      }
      assertThat(last).as("seed %d, %s", seed, arrival).isEqualTo(decision);
    }
    assertThat(conforming).as("seed %d", seed).isPositive();
  }

  @ParameterizedTest(name = "{0}, {1}, seed {2}")
  @MethodSource("cases")
  void keysAreIndependent(Algorithm algorithm, String text, long seed) {
    Quota quota = Quota.parse(text);
    Subject shared = subject(quota, algorithm);
    Map<String, Subject> alone = new HashMap<>();
    Traffic traffic = new Traffic(seed, 3, List.of(quota));
    for (int i = 0; i < arrivals() / 2; i++) {
      Traffic.Event event = traffic.next();
      String key = List.of("a", "a\0", "ä\uD83D\uDE80").get(event.key());
      Subject own = alone.computeIfAbsent(key, absent -> subject(quota, algorithm));
      Decision decision = shared.meter(key, event.arrival());
      assertThat(decision)
          .as("seed %d, %s", seed, event)
          .isEqualTo(own.meter(key, event.arrival()));
      if (decision instanceof NonConforming refused) traffic.hint(refused.retryAfterMicros());
    }
  }

  @ParameterizedTest(name = "{0}, {1}, seed {2}")
  @MethodSource("cases")
  void whatIsRefusedOrAsksChangesNothing(Algorithm algorithm, String text, long seed) {
    Quota quota = Quota.parse(text);
    Subject flooded = subject(quota, algorithm);
    Subject spared = subject(quota, algorithm);
    Traffic traffic = new Traffic(seed, 2, List.of(quota));
    int changeless = 0;
    for (int i = 0; i < arrivals() / 4; i++) {
      Traffic.Event event = traffic.next();
      String key = "key-" + event.key();
      Arrival arrival = anonymous(event.arrival(), event.arrival().cost());
      Object before = flooded.stored();
      Decision decision = flooded.meter(key, arrival);
      if (decision instanceof Conforming && arrival.cost() > 0) {
        assertThat(spared.meter(key, arrival)).as("seed %d, %s", seed, arrival).isEqualTo(decision);
      } else {
        changeless++;
        assertThat(flooded.stored()).as("seed %d, %s", seed, arrival).isEqualTo(before);
      }
      if (decision instanceof NonConforming refused) traffic.hint(refused.retryAfterMicros());
    }
    assertThat(changeless).as("seed %d", seed).isPositive();
  }

  @ParameterizedTest(name = "{0}, {1}, seed {2}")
  @MethodSource("cases")
  void waitingForTheResetMakesTheKeyAsGoodAsNew(Algorithm algorithm, String text, long seed) {
    Quota quota = Quota.parse(text);
    Subject subject = subject(quota, algorithm);
    Traffic traffic = new Traffic(seed, 1, List.of(quota));
    long whole = quota.permits();
    long shift = 0;
    for (int i = 0; i < arrivals() / 4; i++) {
      Arrival next = traffic.next().arrival();
      long now = next.nowMicros() + shift;
      if (now + 4 * quota.periodMicros() >= Arrival.LATEST_MICROS) return;
      Decision decision = subject.meter("key", new Arrival("", next.cost(), now));
      if (i % 50 != 49 || decision.resetAfterMicros() == 0) continue;
      long newAt = now + decision.resetAfterMicros();
      assertThat(subject.meter("key", new Arrival("", 0, newAt)))
          .as("seed %d, at %d after %s", seed, newAt, decision)
          .isEqualTo(new Conforming(whole, 0));
      assertThat(subject.meter("key", new Arrival("", whole, newAt)))
          .as("seed %d, at %d after %s", seed, newAt, decision)
          .isInstanceOf(Conforming.class);
      shift += decision.resetAfterMicros();
    }
  }

  @ParameterizedTest(name = "{0}, {1}, seed {2}")
  @MethodSource("cases")
  void oneMicrosecondBeforeTheResetTheKeyIsNotNew(Algorithm algorithm, String text, long seed) {
    Quota quota = Quota.parse(text);
    Traffic traffic = new Traffic(seed, 1, List.of(quota));
    for (int i = 0; i < 20; i++) {
      Subject subject = subject(quota, algorithm);
      long now = traffic.next().arrival().nowMicros();
      Decision decision = subject.meter("key", new Arrival("", 1, now));
      long newAt = now + decision.resetAfterMicros();
      Decision before = subject.meter("key", new Arrival("", 0, newAt - 1));
      assertThat(before.resetAfterMicros()).as("seed %d, from %d", seed, now).isEqualTo(1);
      assertThat(before.remaining()).as("seed %d, from %d", seed, now).isLessThan(quota.permits());
    }
  }

  @ParameterizedTest(name = "{0}, {1}, seed {2}")
  @MethodSource("cases")
  void theRemainingPermitsConformTogetherAndNotOneMore(
      Algorithm algorithm, String text, long seed) {
    Quota quota = Quota.parse(text);
    Subject subject = subject(quota, algorithm);
    Traffic traffic = new Traffic(seed, 2, List.of(quota));
    for (int i = 0; i < arrivals() / 4; i++) {
      Traffic.Event event = traffic.next();
      String key = "key-" + event.key();
      Arrival arrival = anonymous(event.arrival(), event.arrival().cost());
      long remaining = subject.meter(key, arrival).remaining();
      assertThat(subject.meter(key, anonymous(arrival, remaining + 1)))
          .as("seed %d, %d + 1 permits at %s", seed, remaining, arrival)
          .isNotInstanceOf(Conforming.class);
      if (i % 4 > 0 || remaining == 0) continue;
      Decision last = subject.meter(key, anonymous(arrival, remaining));
      assertThat(last)
          .as("seed %d, %d permits at %s", seed, remaining, arrival)
          .isEqualTo(new Conforming(0, last.resetAfterMicros()));
    }
  }

  @ParameterizedTest(name = "{0}, {1}, seed {2}")
  @MethodSource("cases")
  void moreThanTheCapacityIsOversizedEvenOnANewKey(Algorithm algorithm, String text, long seed) {
    Quota quota = Quota.parse(text);
    Subject subject = subject(quota, algorithm);
    long now = new Traffic(seed, 1, List.of(quota)).next().arrival().nowMicros();
    long whole = quota.permits();
    Object before = subject.stored();
    for (long cost : new long[] {whole + 1, 1L << 31, Long.MAX_VALUE}) {
      assertThat(subject.meter("key", new Arrival("", cost, now)))
          .as("seed %d, cost %d", seed, cost)
          .isEqualTo(new Oversized(cost, whole, whole, 0));
    }
    assertThat(subject.stored()).as("seed %d", seed).isEqualTo(before);
    assertThat(subject.meter("key", new Arrival("", whole, now)))
        .as("seed %d", seed)
        .isInstanceOf(Conforming.class);
  }

  @ParameterizedTest(name = "{0}, {1}, seed {2}")
  @MethodSource("cases")
  void anEventMeteredAgainIsChargedOnce(Algorithm algorithm, String text, long seed) {
    Quota quota = Quota.parse(text);
    Subject twice = subject(quota, algorithm);
    Subject once = subject(quota, algorithm);
    SplittableRandom random = new SplittableRandom(seed);
    Traffic traffic = new Traffic(seed, 2, List.of(quota));
    List<Traffic.Event> admitted = new ArrayList<>();
    for (int i = 0; i < arrivals() / 2; i++) {
      Traffic.Event event = named(traffic.next(), i);
      Decision decision = twice.meter("key-" + event.key(), event.arrival());
      assertThat(decision)
          .as("seed %d, %s", seed, event)
          .isEqualTo(once.meter("key-" + event.key(), event.arrival()));
      if (!(decision instanceof Conforming) || event.arrival().cost() == 0) continue;
      admitted.add(event);

      // One of the last four comes again, at the present time.
      Traffic.Event first = admitted.get(admitted.size() - 1 - random.nextInt(admitted.size()) % 4);
      long now = event.arrival().nowMicros();
      if (first.arrival().nowMicros() <= now - quota.periodMicros()) continue;
      Object before = twice.stored();
      assertThat(twice.meter("key-" + first.key(), at(first.arrival(), now)))
          .as("seed %d, again at %d: %s", seed, now, first)
          .isInstanceOf(Conforming.class);
      assertThat(twice.stored()).as("seed %d, again at %d: %s", seed, now, first).isEqualTo(before);
    }
    assertThat(admitted).as("seed %d", seed).hasSizeGreaterThan(20);
  }

  @ParameterizedTest(name = "{0}, {1}, seed {2}")
  @MethodSource("cases")
  void theAnswersAreTheDefinitions(Algorithm algorithm, String text, long seed) {
    Quota quota = Quota.parse(text);
    Subject subject = subject(quota, algorithm);
    Oracle oracle = new Oracle();
    Rule rule = Rule.policing("limit", quota, algorithm);
    Traffic traffic = new Traffic(seed, 3, List.of(quota));
    for (int i = 0; i < arrivals(); i++) {
      Traffic.Event event = traffic.next();
      String key = "key-" + event.key();
      Outcome expected = oracle.meter(event.arrival(), List.of(new Bucket(rule, key)));
      assertThat(subject.meter(key, event.arrival()))
          .as("seed %d, event %d, %s", seed, i, event)
          .isEqualTo(expected.decision(0));
      if (expected.decision(0) instanceof NonConforming refused) {
        traffic.hint(refused.retryAfterMicros());
      }
    }
  }

  @ParameterizedTest(name = "{0}, {1}, seed {2}")
  @MethodSource("cases")
  void theAnswersToReleasesAreTheDefinitions(Algorithm algorithm, String text, long seed) {
    Quota quota = Quota.parse(text);
    Subject subject = subject(quota, algorithm);
    Oracle oracle = new Oracle();
    Rule rule = Rule.policing("limit", quota, algorithm);
    Traffic traffic = new Traffic(seed, 2, List.of(quota));
    Scenarios.Releases releases = Scenarios.Releases.of(1, seed);
    int released = 0;
    for (int i = 0; i < arrivals(); i++) {
      Traffic.Event event = traffic.next();
      String key = "key-" + event.key();
      Arrival arrival = releases.of(event.arrival(), List.of(quota));
      Outcome expected = oracle.meter(arrival, List.of(new Bucket(rule, key)));
      Object before = subject.stored();
      Decision decision = subject.meter(key, arrival);
      assertThat(decision)
          .as("seed %d, event %d, %s", seed, i, arrival)
          .isEqualTo(expected.decision(0));
      Scenarios.hint(traffic, expected);
      if (!arrival.isRelease()) continue;
      if (expected.admitted()) released++;
      else assertThat(subject.stored()).as("seed %d, event %d", seed, i).isEqualTo(before);
      if (decision instanceof NonConforming refused) {
        long conformsAt = expected.judgements().get(0).nowMicros() + refused.retryAfterMicros();
        assertThat(conformsAt).as("seed %d", seed).isGreaterThan(arrival.latestMicros());
      }
    }
    assertThat(released).as("seed %d", seed).isPositive();
  }

  static Stream<Arguments> paces() {
    return Stream.of(
        Arguments.of(Algorithm.GCRA, new Quota(20, 1_000_000, 1)),
        Arguments.of(Algorithm.GCRA, new Quota(20, 1_000_000, 20)),
        Arguments.of(Algorithm.GCRA, new Quota(7, 1_000_000, 2)),
        Arguments.of(Algorithm.SLIDING_WINDOW_LOG, new Quota(20, 1_000_000, 20)),
        Arguments.of(Algorithm.CALENDAR_WINDOW, new Quota(20, 1_000_000, 20)));
  }

  /** Asks for more releases in each tick than the quota allows: with a tick of 100 ms. */
  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("paces")
  void releasesInEachTickUseTheRateAndNoMore(Algorithm algorithm, Quota quota) {
    Subject subject = subject(quota, algorithm);
    long tick = 100_000;
    long begin = 1_800_000_000_000_000L + TestScale.seed() % 100_000;
    int ticks = 200;
    List<Admitted> released = new ArrayList<>();
    for (int i = 1; i <= ticks; i++) {
      long now = begin + i * tick;
      for (int j = 0; j < 21; j++) {
        Identity identity = Identity.ofRecord("event-" + i + "-" + j);
        Decision decision = subject.meter("key", Arrival.release(identity, 1, now - tick, now));
        if (decision instanceof NonConforming) break;
        released.add(new Admitted(now, 1));
      }
    }
    long rate = floor(ticks * tick, quota);
    assertThat(released.size())
        .as("seed %d", TestScale.seed())
        .isBetween((int) (0.98 * rate), (int) (rate + quota.burst() + 1));
    for (int i = 0; i < released.size(); i++) {
      for (int j = i; j < released.size(); j++) {
        long span = released.get(j).atMicros() - released.get(i).atMicros();
        assertThat(j - i + 1L)
            .as("seed %d, releases %d to %d", TestScale.seed(), i, j)
            .isLessThanOrEqualTo(inAnySpan(quota, algorithm, span + tick));
      }
    }
  }

  /** Returns the most permits in a span, both ends included, however long it is. */
  private static long inAnySpan(Quota quota, Algorithm algorithm, long span) {
    if (algorithm == Algorithm.GCRA) return promised(quota, algorithm, span);
    long windows = span / quota.periodMicros() + 1;
    return (windows + (algorithm == Algorithm.CALENDAR_WINDOW ? 1 : 0)) * quota.permits();
  }

  private static Traffic.Event named(Traffic.Event event, int number) {
    Arrival given = event.arrival();
    return new Traffic.Event(
        event.key(),
        new Arrival("named-" + number, given.cost(), given.nowMicros()),
        event.value());
  }

  private static Arrival anonymous(Arrival given, long cost) {
    return new Arrival("", cost, given.nowMicros());
  }

  private static Arrival at(Arrival given, long nowMicros) {
    return given.at(nowMicros);
  }
}

package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Decision.Conforming;
import io.sluice.limiter.Decision.NonConforming;
import io.sluice.limiter.Decision.Oversized;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that GCRA admits exactly what its quota allows, over any time. */
@Tag("slow") // millions of arrivals, with quotas whose intervals have fractions
class GcraExactnessTest {
  private static final int ARRIVALS = 1_000_000;
  private static final long YEAR_MICROS = Duration.ofDays(365).toMillis() * 1_000;

  @ParameterizedTest
  @CsvSource({
    "7/60s, 7", "7/60s, 2", "3/1s, 3", "3/1s, 100", "700000/1h, 700000", "700000/1h, 2",
    "6000/1s, 6000", "6000/1s, 7", "1/1d, 2", "1/1d, 30", "2147483647/1h, 5", "1000003/1s, 4"
  })
  void underSaturationItPassesBurstPlusElapsedTimesRate(String text, long burst) {
    Quota quota = Quota.parse(text).withBurst(burst);
    RateLimiter limiter = new InProcessLimiter(quota, Algorithm.GCRA);
    SplittableRandom random = new SplittableRandom(burst);
    long start = random.nextLong(Arrival.LATEST_MICROS / 2);
    long now = start;
    long passed = 0;
    for (int i = 0; i < ARRIVALS; i++) {
      Decision decision = limiter.meter("key", new Arrival("", 1, now));
      if (decision instanceof Conforming) {
        passed++;
        continue;
      }
      assertThat(passed)
          .as("after %d microseconds", now - start)
          .isEqualTo(due(quota, now - start));
      now += ((NonConforming) decision).retryAfterMicros() + random.nextLong(2);
      if (now >= Arrival.LATEST_MICROS) break;
    }
    assertThat(passed).isGreaterThan(20_000);
  }

  /**
   * With a burst of 1, the part of a microsecond by which an arrival is late cannot be saved: a
   * permit passes at each next whole microsecond, never more than the quota and hardly less.
   */
  @Test
  void aBurstOfOnePassesOnePermitEveryIntervalRoundedUp() {
    Quota quota = Quota.parse("700000/1h").withBurst(1); // one per 5142.857 microseconds
    RateLimiter limiter = new InProcessLimiter(quota, Algorithm.GCRA);
    for (long i = 0; i < 10_000; i++) {
      Arrival first = new Arrival("", 1, 5_143 * i);
      assertThat(limiter.meter("key", first)).isInstanceOf(Conforming.class);
      assertThat(limiter.meter("key", first)).isEqualTo(new NonConforming(0, 5_143, 5_143));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void drainingItAtRandomInstantsLosesNoPermitInAMillionArrivals(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Quota quota = new Quota(1 + random.nextInt(1_000), 1_000_000L * (1 + random.nextInt(100)), 50);
    RateLimiter limiter = new InProcessLimiter(quota, Algorithm.GCRA);
    long start = random.nextLong(Arrival.LATEST_MICROS / 2);
    long interval = quota.periodMicros() / quota.permits();
    long elapsed = 0;
    long passed = 0;
    for (int i = 0; i < ARRIVALS; ) {
      Decision asked = limiter.meter("key", new Arrival("", 0, start + elapsed));
      i++;
      if (asked.remaining() > 0) { // takes all that remain, at once
        Arrival all = new Arrival("", asked.remaining(), start + elapsed);
        assertThat(limiter.meter("key", all)).as("seed %d", seed).isInstanceOf(Conforming.class);
        passed += asked.remaining();
        i++;
      }
      assertThat(passed).as("seed %d, after %d", seed, elapsed).isEqualTo(due(quota, elapsed));
      elapsed += random.nextLong(20 * interval + 1); // less than the span of a burst
    }
  }

  /** Returns {@code floor(burst + elapsed * permits / period)}. */
  private static long due(Quota quota, long elapsedMicros) {
    return BigInteger.valueOf(elapsedMicros)
        .multiply(BigInteger.valueOf(quota.permits()))
        .divide(BigInteger.valueOf(quota.periodMicros()))
        .add(BigInteger.valueOf(quota.burst()))
        .longValueExact();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void extremesOfQuotasCostsAndTimesDoNotOverflow(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 200; i++) {
      Quota quota = extreme(random);
      for (Algorithm algorithm : Scenarios.algorithmsOfEvents().toList()) {
        Rule rule = Rule.policing("limit", quota, algorithm);
        RowMeter meter = new RowMeter(new WatchedRows());
        Oracle oracle = new Oracle();
        List<Bucket> buckets = List.of(new Bucket(rule, "key"));
        long now = random.nextBoolean() ? 0 : random.nextLong(Arrival.LATEST_MICROS);
        for (int n = 0; n < 30; n++) {
          long cost = extremeCost(random, rule.capacity());
          Arrival arrival = new Arrival("", cost, now);
          Outcome found = meter.meter(arrival, buckets);
          assertThat(found)
              .as("seed %d, %s of %s", seed, arrival, rule)
              .isEqualTo(oracle.meter(arrival, buckets));
          now = Math.min(Arrival.LATEST_MICROS - 1, now + extremeStep(random, found, quota));
        }
      }
    }
  }

  private static Quota extreme(SplittableRandom random) {
    while (true) {
      long permits = pick(random, 1, 2, 3, 1_000_003, Quota.MOST_PERMITS - 1, Quota.MOST_PERMITS);
      long burst = pick(random, 1, 2, permits, Quota.MOST_PERMITS - 1, Quota.MOST_PERMITS);
      long most = Duration.ofDays(3660).toMillis() * 1_000;
      long period = pick(random, 1_000, 1_001, 3_600_000_000L, most - 1, most);
      try {
        return new Quota(permits, period, burst);
      } catch (IllegalArgumentException refused) {
        assertThat(refused).hasMessageContaining("more than 3660d to drain");
      }
    }
  }

  private static long extremeCost(SplittableRandom random, long capacity) {
    return pick(random, 0, 1, capacity / 2, capacity - 1, capacity, capacity, Long.MAX_VALUE);
  }

  private static long extremeStep(SplittableRandom random, Outcome outcome, Quota quota) {
    Decision decision = outcome.decision(0);
    long wait = decision instanceof NonConforming refused ? refused.retryAfterMicros() : 1;
    return pick(
        random, 0, 1, wait, wait - 1, quota.periodMicros(), random.nextLong(9 * YEAR_MICROS));
  }

  private static long pick(SplittableRandom random, long... values) {
    return values[random.nextInt(values.length)];
  }

  @ParameterizedTest
  @CsvSource({"GCRA", "SLIDING_WINDOW_LOG", "SLIDING_WINDOW_COUNTER"})
  void aKeyIdleForYearsBanksNoMoreThanItsCapacity(Algorithm algorithm) {
    RateLimiter limiter = new InProcessLimiter(Quota.parse("5/60s"), algorithm);
    for (long year = 0; year < 231; year += 7) {
      long now = year * YEAR_MICROS;
      assertThat(limiter.meter("key", new Arrival("", 6, now))).isInstanceOf(Oversized.class);
      assertThat(limiter.meter("key", new Arrival("", 5, now)).remaining()).isZero();
      assertThat(limiter.meter("key", new Arrival("", 1, now))).isInstanceOf(NonConforming.class);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void costsOfBillionsAreExact(long seed) {
    Quota quota = new Quota(Quota.MOST_PERMITS - seed, 86_400_000_000L, Quota.MOST_PERMITS);
    RateLimiter limiter = new InProcessLimiter(quota, Algorithm.GCRA);
    long now = 7_000_000_000_000_000L;
    assertThat(limiter.meter("key", new Arrival("", Quota.MOST_PERMITS, now)))
        .isInstanceOf(Conforming.class);
    SplittableRandom random = new SplittableRandom(seed);
    long passed = Quota.MOST_PERMITS;
    long elapsed = 0;
    for (int i = 0; i < 1_000; i++) {
      elapsed += random.nextLong(quota.periodMicros() / 2);
      long remaining = limiter.meter("key", new Arrival("", 0, now + elapsed)).remaining();
      passed += remaining;
      assertThat(passed).as("seed %d, after %d", seed, elapsed).isEqualTo(due(quota, elapsed));
      limiter.meter("key", new Arrival("", remaining, now + elapsed));
    }
  }
}

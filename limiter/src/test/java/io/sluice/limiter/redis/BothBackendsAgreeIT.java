package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Outcome;
import io.sluice.limiter.RowMeter;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.rows.Conditions;
import io.sluice.limiter.rows.HeapRows;
import io.sluice.testing.TestScale;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the state store and Redis, on 12 seeds of small numbers and 12 of large ones; 150 at
 * full scale.
 */
class BothBackendsAgreeIT {
  private static final int ARRIVALS = 600;

  /** Arrivals may be late by years, and nothing that they need may be forgotten. */
  private static final Duration TEN_YEARS = Duration.ofDays(3_660);

  private static final Conditions LATE =
      Conditions.ALONE.with(now -> now - TEN_YEARS.toMillis() * 1_000);

  private static RedisTestServer redis;

  @BeforeAll
  static void start() {
    redis = new RedisTestServer();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  static LongStream seeds() {
    return TestScale.seeds(12, 150);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theSameTrafficGetsTheSameOutcomes(long seed) {
    assertAgree("small" + seed, RedisTraffic.small(seed, ARRIVALS));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theLargestNumbersGetTheSameOutcomes(long seed) {
    assertAgree("big" + seed, RedisTraffic.big(seed, ARRIVALS));
  }

  private static void assertAgree(String name, RedisTraffic traffic) {
    List<Outcome> outcomes = new ArrayList<>();
    try (RedisMeter meter = new RedisMeter(settings(name + "-singly"))) {
      RowMeter rows = new RowMeter(new HeapRows(), LATE);
      for (Request request : traffic.requests()) {
        Outcome expected = meter(rows, request);
        assertThat(meter.meter(request))
            .as("seed %s, arrival %d: %s", name, outcomes.size(), request)
            .isEqualTo(expected);
        outcomes.add(expected);
      }
    }
    try (RedisMeter meter = new RedisMeter(settings(name + "-batch"))) {
      assertThat(meter.meter(traffic.requests())).as("seed %s", name).isEqualTo(outcomes);
    }
  }

  private static RedisSettings settings(String name) {
    return redis.settings(name).withGrace(TEN_YEARS);
  }

  private static Outcome meter(RowMeter rows, Request request) {
    return rows.probe(request.arrival(), request.buckets()).settle(request.elsewhere());
  }
}

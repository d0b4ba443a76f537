package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.limiter.ChangingScenarios;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Scenarios;
import io.sluice.limiter.Scenarios.Limit;
import io.sluice.limiter.Scenarios.Step;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Redis' answers are those of the definitions, and so those of the state store, each and every one.
 */
class RedisMeterAgainstOracleIT {
  private static final int BATCH = 250;

  private static EmbeddedRedis redis;
  private static RedisMeter meter;

  @BeforeAll
  static void start() {
    redis = EmbeddedRedis.builder().start();
    // The events' clock runs for years while Redis' own runs for seconds.
    meter = new RedisMeter(RedisSettings.of(redis.uri()).withTimeout(Duration.ofSeconds(10)));
  }

  @AfterAll
  static void stop() {
    meter.close();
    redis.close();
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("io.sluice.limiter.Scenarios#all")
  void everyAnswerIsTheDefinitions(List<Limit> limits, long seed) {
    meter.removeAll();
    Scenarios.rounds(limits, seed).forEach(steps -> agree(steps, seed));
  }

  /** As it comes; now and then asked again in hindsight, when all changes are known. */
  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("io.sluice.limiter.ChangingScenarios#all")
  void everyAnswerUnderChangingLimitsIsTheDefinitions(List<Limit> limits, long seed) {
    AtomicInteger rounds = new AtomicInteger();
    ChangingScenarios.rounds(limits, seed)
        .forEach(
            round -> {
              meter.removeAll();
              agree(round.steps(), seed);
              if (round.late() || rounds.getAndIncrement() % 8 > 0) return;
              meter.removeAll();
              agree(round.steps().stream().map(round::inHindsight).toList(), seed);
            });
  }

  private static void agree(List<Step> steps, long seed) {
    for (int from = 0; from < steps.size(); from += BATCH) {
      List<Step> batch = steps.subList(from, Math.min(from + BATCH, steps.size()));
      List<Outcome> found =
          meter.meter(
              batch.stream().map(each -> Request.of(each.arrival(), each.buckets())).toList());
      for (int i = 0; i < batch.size(); i++) {
        if (found.get(i).equals(batch.get(i).expected())) continue;
        assertThat(found.get(i))
            .as("seed %d, event %d, %s", seed, from + i, batch.get(i))
            .isEqualTo(batch.get(i).expected());
      }
    }
  }
}

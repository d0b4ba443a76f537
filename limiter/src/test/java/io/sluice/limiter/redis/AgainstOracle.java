package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Scenarios.Step;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A Redis whose answers are held against what the definitions say. */
abstract class AgainstOracle {
  private static final int BATCH = 250;
  private static final Duration LATE = Duration.ofDays(10);

  private static EmbeddedRedis redis;
  static RedisMeter meter;

  @BeforeAll
  static void start() {
    redis = EmbeddedRedis.builder().start();
    // The events' clock runs for years while Redis' own runs for seconds.
    // Nor may it forget in time what arrivals ask for that come two periods late.
    meter =
        new RedisMeter(
            RedisSettings.of(redis.uri()).withTimeout(Duration.ofSeconds(10)).withGrace(LATE));
  }

  @AfterAll
  static void stop() {
    meter.close();
    redis.close();
  }

  static void agree(List<Step> steps, long seed) {
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

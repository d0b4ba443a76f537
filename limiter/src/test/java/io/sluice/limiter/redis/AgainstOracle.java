package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Scenarios.Step;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Base of tests that compare Redis' answers with the oracle. */
abstract class AgainstOracle {
  /**
   * Most batches are far smaller, because within a batch nothing is stored and read again, and a
   * key that has needed the kernel once no longer takes the short way.
   */
  private static final int LONGEST_BATCH = 250;

  private static final Duration LATE = Duration.ofDays(10);

  private static EmbeddedRedis redis;
  static RedisMeter meter;

  @BeforeAll
  static void start() {
    redis = EmbeddedRedis.builder().start();
    // The events' clock runs for years while Redis' own clock runs for seconds. Redis must also
    // keep the keys for arrivals that are two periods late.
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
    SplittableRandom random = new SplittableRandom(seed);
    for (int from = 0; from < steps.size(); ) {
      int most =
          switch (random.nextInt(8)) {
            case 0 -> LONGEST_BATCH;
            case 1, 2, 3 -> 4;
            default -> 40;
          };
      int to = Math.min(from + 1 + random.nextInt(most), steps.size());
      agree(steps.subList(from, to), "seed %d, from event %d".formatted(seed, from));
      from = to;
    }
  }

  private static void agree(List<Step> batch, String place) {
    List<Outcome> found;
    try {
      found =
          meter.meter(
              batch.stream().map(each -> Request.of(each.arrival(), each.buckets())).toList());
    } catch (RuntimeException e) {
      throw new AssertionError(place, e);
    }
    for (int i = 0; i < batch.size(); i++) {
      if (found.get(i).equals(batch.get(i).expected())) continue;
      assertThat(found.get(i))
          .as("%s, %d, %s", place, i, batch.get(i))
          .isEqualTo(batch.get(i).expected());
    }
  }
}

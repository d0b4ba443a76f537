package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Rule;
import io.sluice.limiter.SketchContract;
import io.sluice.limiter.ValueHash;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.testing.TestScale;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RedisSketchIT extends SketchContract {
  private static final long PERMITS = TestScale.of(1_000, 10_000);

  private static final String UNION = "sluice:{c}:reach:h1u:c";

  @RegisterExtension static final FreshRedis redis = new FreshRedis();

  @Override
  protected List<Outcome> meter(List<Arrival> arrivals, List<Bucket> buckets) {
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < arrivals.size(); i++) {
      requests.add(Request.of(arrivals.get(i), List.of(buckets.get(i))));
    }
    return redis.meter.meter(requests);
  }

  private long fill(Rule rule, long seed, long count, long afterNoon) {
    SplittableRandom random = new SplittableRandom(seed);
    long admitted = 0;
    for (long i = 0; i < count; i += 500) {
      List<Arrival> arrivals = new ArrayList<>();
      List<Bucket> buckets = new ArrayList<>();
      for (int j = 0; j < 500; j++) {
        arrivals.add(new Arrival("", 1, NOON + afterNoon));
        ValueHash value = new ValueHash(random.nextLong(), random.nextLong());
        buckets.add(new Bucket(rule, "c", "c", value));
      }
      admitted += meter(arrivals, buckets).stream().filter(Outcome::admitted).count();
    }
    return admitted;
  }

  static LongStream seeds() {
    return LongStream.range(0, TestScale.of(6, 30));
  }

  /**
   * Runs with 6 seeds, each with 5 times 1,000 permits; 30 seeds and 10,000 permits at full scale.
   * Always the same seeds, because an estimate can be off.
   */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theLimitTakesHoldWithinThreePercentAndPfcountAgrees(long seed) {
    assertThat(fill(rule(PERMITS), seed, 5L * PERMITS, 0))
        .as("seed %d", seed)
        .isCloseTo(PERMITS, within(3L * PERMITS / 100));
    long steps = PERMITS / 1_000 - 1; // one more value moves an estimate by at most this
    assertThat(redis.client.pfcount(UNION)).as("seed %d", seed).isBetween(PERMITS, PERMITS + steps);
  }

  @Test
  void aKeyTakesLessThanAHundredKilobytesAndAllOfItExpires() {
    for (int sixth = 0; sixth < 9; sixth++) fill(rule(1_000_000), sixth, 20_000, sixth * SIXTH);
    long bytes = 0;
    for (String key : redis.client.keys("*")) {
      bytes += redis.client.strlen(key);
      assertThat(redis.client.pttl(key)).as(key).isPositive();
    }
    assertThat(redis.client.keys("*")).hasSize(9);
    assertThat(bytes).isLessThan(100_000);
  }
}

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
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
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

  private static Bucket several(Rule rule, long from, long to) {
    List<ValueHash> values =
        LongStream.range(from, to).mapToObj(i -> bucket(rule, 7, i).value()).toList();
    return Bucket.ofValues(rule, "c", "c", values);
  }

  private Outcome meter(long afterNoon, Bucket bucket) {
    return meter(List.of(new Arrival("", 1, NOON + afterNoon)), List.of(bucket)).get(0);
  }

  /** The estimate with the values is made in the union, which must be as before afterwards. */
  @Test
  void aRefusalOfSeveralValuesLeavesAllKeysAsTheyWere() {
    Rule rule = rule(100);
    meter(0, several(rule, 0, 60));
    assertThat(redis.client.pexpire(UNION, 77_000)).isEqualTo(1);
    Map<String, ByteBuffer> before = dump();
    assertThat(meter(1, several(rule, 50, 120)).admitted()).isFalse();
    assertThat(dump()).isEqualTo(before);
    assertThat(redis.client.pttl(UNION)).isBetween(60_000L, 77_000L);
    assertThat(meter(2, several(rule, 0, 90)).admitted()).isTrue();
  }

  /** In one call, the union has no time to live until the call's end. */
  @Test
  void refusalsAndAdmissionsOfOneCallAreCountedOneAfterAnother() {
    Rule rule = rule(10);
    List<Bucket> buckets =
        List.of(
            several(rule, 0, 6),
            several(rule, 3, 12),
            several(rule, 5, 8),
            several(rule, 0, 9),
            several(rule, 6, 11));
    List<Arrival> arrivals =
        LongStream.range(0, 5).mapToObj(i -> new Arrival("", 1, NOON + i)).toList();
    assertThat(meter(arrivals, buckets))
        .extracting(Outcome::admitted)
        .containsExactly(true, false, true, true, false);
    assertThat(redis.client.pfcount(UNION)).isEqualTo(9);
    assertThat(redis.client.pttl(UNION)).isPositive();
  }

  @Test
  void askingAboutSeveralValuesChangesNoKey() {
    Rule rule = rule(100);
    meter(0, several(rule, 0, 60));
    for (long later : new long[] {1, 3 * SIXTH}) {
      Map<String, ByteBuffer> before = dump();
      Arrival arrival = new Arrival("", 1, NOON + later);
      assertThat(redis.meter.ask(arrival, List.of(several(rule, 50, 120))).admitted()).isFalse();
      assertThat(redis.meter.ask(arrival, List.of(several(rule, 20, 100))).admitted()).isTrue();
      assertThat(dump()).isEqualTo(before);
    }
  }

  private static Map<String, ByteBuffer> dump() {
    Map<String, ByteBuffer> all = new TreeMap<>();
    for (String key : List.copyOf(redis.client.keys("*"))) {
      all.put(key, ByteBuffer.wrap(redis.client.dump(key)));
    }
    return all;
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

package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.DistinctContract;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.limiter.ValueHash;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisDistinctIT extends DistinctContract {
  private static final String KEY = "sluice:{ada}:many:d1:ada";
  private static final Rule RULE =
      Rule.policing("many", Quota.parse("1000/60s"), Algorithm.DISTINCT_LOG);

  @RegisterExtension static final FreshRedis redis = new FreshRedis();

  @Override
  protected Outcome meter(Arrival arrival, List<Bucket> buckets) {
    return redis.meter.meter(Request.of(arrival, buckets));
  }

  private Outcome meter(String value, long nowMicros) {
    ValueHash hash = ValueHash.of(List.of(value));
    return meter(new Arrival("", 1, nowMicros), List.of(new Bucket(RULE, "ada", "ada", hash)));
  }

  @Test
  void aKeyHasAnEntryForEachValueAndExpires() {
    for (int i = 0; i < 3_000; i++) meter("value-" + i % 1_100, 1_000 + i);
    assertThat(redis.client.strlen(KEY)).isEqualTo(16 + 36 * 1_000);
    assertThat(redis.client.pttl(KEY)).isBetween(1L, 60_000L + 3_600_000L);
  }

  private static Bucket several(int from, int to) {
    List<ValueHash> values =
        IntStream.range(from, to).mapToObj(i -> ValueHash.of(List.of("value-" + i))).toList();
    return Bucket.ofValues(RULE, "ada", "ada", values);
  }

  /** A batch of many values is more than one call, in which values stay counted. */
  @Test
  void batchesOfSeveralValuesAreMeteredInOrder() {
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Arrival arrival = new Arrival("", 1, 1_000 + i);
      requests.add(Request.of(arrival, List.of(several(4 * i, 4 * i + 50))));
      ValueHash one = ValueHash.of(List.of("value-" + (4 * i + 50)));
      requests.add(Request.of(arrival, List.of(new Bucket(RULE, "ada", "ada", one))));
    }
    List<Long> remaining =
        redis.meter.meter(requests).stream().map(each -> each.decision(0).remaining()).toList();
    for (int i = 0; i < 200; i++) {
      assertThat(remaining.get(2 * i)).as("several, %d", i).isEqualTo(1_000L - (4 * i + 50));
      assertThat(remaining.get(2 * i + 1)).as("one, %d", i).isEqualTo(1_000L - (4 * i + 51));
    }
    assertThat(redis.client.strlen(KEY)).isEqualTo(16 + 36 * (4 * 199 + 51));
  }

  @Test
  void whatChargesNothingIsNotWritten() {
    meter("bob", 1_000);
    String before = redis.client.get(KEY);
    redis.client.persist(KEY);
    assertThat(meter("bob", 2_000).admitted()).isTrue();
    assertThat(redis.client.get(KEY)).isEqualTo(before);
    assertThat(redis.client.pttl(KEY)).as("would be set by writing").isEqualTo(-1);
  }
}

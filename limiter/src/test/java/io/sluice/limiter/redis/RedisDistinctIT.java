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
import java.util.List;
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

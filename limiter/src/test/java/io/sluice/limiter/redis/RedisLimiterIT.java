package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Decision;
import io.sluice.limiter.Quota;
import io.sluice.limiter.RateLimiterContract;
import io.sluice.limiter.Subject;
import io.sluice.limiter.redis.RedisLimiter.Throttle;
import io.sluice.testing.TestScale;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow") // the whole contract, with a round trip for each arrival
class RedisLimiterIT extends RateLimiterContract {
  private static RedisTestServer redis;

  private final List<RedisLimiter> opened = new ArrayList<>();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  @BeforeAll
  static void start() {
    redis = new RedisTestServer();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @AfterEach
  void closeAll() {
    opened.forEach(RedisLimiter::close);
    redis.client.flushAll();
  }

  @Override
  protected int arrivals() {
    return TestScale.of(400, 1_200);
  }

  @Override
  protected Subject subject(Quota quota, Algorithm algorithm) {
    String name = "limit" + opened.size();
    RedisSettings settings = redis.settings("contract").withConnections(1);
    RedisLimiter limiter = new RedisLimiter(settings, name, quota, algorithm);
    opened.add(limiter);
    return new Subject() {
      @Override
      public Decision meter(String key, Arrival arrival) {
        return limiter.meter(key, arrival);
      }

      @Override
      public Object stored() {
        Map<String, String> all = new TreeMap<>();
        for (String key : redis.client.keys("*:" + name + ":*")) {
          all.put(key, Base64.getEncoder().encodeToString(redis.client.dump(key)));
        }
        return all;
      }
    };
  }

  private RedisLimiter throttling() {
    RedisLimiter limiter =
        new RedisLimiter(
            redis.settings("cell"), "cell", Quota.parse("1/1s"), Algorithm.GCRA, () -> now);
    opened.add(limiter);
    return limiter;
  }

  /** The commands and answers are those of redis-cell's own test of its arithmetic. */
  @Test
  void throttlesAsRedisCellDoes() {
    RedisLimiter cell = throttling();
    assertThat(cell.throttle("k", 4, 1, 1, 6)).isEqualTo(new Throttle(true, 5, 5, -1, 0));
    for (int i = 1; i <= 5; i++) {
      assertThat(cell.throttle("k", 4, 1, 1, 1)).isEqualTo(new Throttle(false, 5, 5 - i, -1, i));
    }
    assertThat(cell.throttle("k", 4, 1, 1, 1)).isEqualTo(new Throttle(true, 5, 0, 1, 5));
    now = now.plusMillis(3_000);
    assertThat(cell.throttle("k", 4, 1, 1, 1)).isEqualTo(new Throttle(false, 5, 2, -1, 3));
    now = now.plusMillis(100);
    assertThat(cell.throttle("k", 4, 1, 1, 1)).isEqualTo(new Throttle(false, 5, 1, -1, 4));
    now = now.plusMillis(900);
    assertThat(cell.throttle("k", 4, 1, 1, 1)).isEqualTo(new Throttle(false, 5, 1, -1, 4));
    now = now.plusMillis(4_000);
    assertThat(cell.throttle("k", 4, 1, 1, 1)).isEqualTo(new Throttle(false, 5, 4, -1, 1));
    now = now.plusMillis(1_500);
    assertThat(cell.throttle("k", 4, 1, 1, 1)).isEqualTo(new Throttle(false, 5, 4, -1, 1));
    assertThat(cell.throttle("k", 4, 1, 1, 0)).isEqualTo(new Throttle(false, 5, 4, -1, 1));
    assertThat(cell.throttle("k", 4, 1, 1, 2)).isEqualTo(new Throttle(false, 5, 2, -1, 3));
    assertThat(cell.throttle("k", 4, 1, 1, 5)).isEqualTo(new Throttle(true, 5, 2, 3, 3));
  }

  @Test
  void throttlingAndMeteringDoNotChargeEachOther() {
    RedisLimiter limiter = throttling();
    assertThat(limiter.meter("k")).isInstanceOf(Decision.Conforming.class);
    assertThat(limiter.throttle("k", 0, 1, 1, 1).limited()).isFalse();
    assertThat(limiter.meter("k")).isInstanceOf(Decision.NonConforming.class);
  }
}

package io.sluice.limiter.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Decision.Conforming;
import io.sluice.limiter.Decision.NonConforming;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Quota;
import io.sluice.limiter.redis.RedisLimiter;
import io.sluice.limiter.redis.RedisSettings;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class LimitersIT {
  @Test
  void aLimitOnRedisSharesItsCountWithOthersOfItsName() throws Exception {
    try (EmbeddedRedis redis = EmbeddedRedis.builder().start()) {
      Map<String, String> settings =
          Map.of(
              "sluice.redis.uri", redis.uri(),
              "sluice.redis.key.prefix", "shop",
              "sluice.redis.timeout", "10s",
              "sluice.limit.reply.quota", "4/1h",
              "sluice.limit.reply.backend", "redis",
              "sluice.limit.other.quota", "1/1h",
              "sluice.limit.other.backend", "redis");
      RedisSettings own =
          RedisSettings.of(redis.uri()).withKeyPrefix("shop").withTimeout(Duration.ofSeconds(10));
      Limiters limiters = Limiters.of(settings);
      try (RedisLimiter elsewhere =
          new RedisLimiter(own, "reply", Quota.parse("4/1h"), Algorithm.GCRA)) {
        assertThat(limiters.get("reply").meter("k")).isInstanceOf(Conforming.class);
        assertThat(limiters.async("reply").meter("k").toCompletableFuture().get())
            .isInstanceOf(Conforming.class);
        assertThat(limiters.waiting("reply").acquire("k", Duration.ZERO))
            .isInstanceOf(Conforming.class);
        assertThat(elsewhere.meter("k")).isInstanceOf(Conforming.class);
        assertThat(limiters.get("reply").meter("k")).isInstanceOf(NonConforming.class);
        assertThat(limiters.get("other").meter("k")).isInstanceOf(Conforming.class);
      }
      CompletableFuture<?> waiting =
          limiters.waiting("other").acquireAsync("k", Duration.ofHours(2));
      limiters.close();
      assertThatThrownBy(waiting::get).hasCauseInstanceOf(RejectedExecutionException.class);
      assertThatThrownBy(limiters.async("reply").meter("k").toCompletableFuture()::get)
          .hasCauseInstanceOf(RejectedExecutionException.class);
      assertThatThrownBy(() -> limiters.get("reply").meter("k"))
          .isInstanceOf(LimiterUnavailableException.class);
    }
  }
}

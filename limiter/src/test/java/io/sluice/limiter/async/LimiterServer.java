package io.sluice.limiter.async;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.limiter.redis.RedisSettings;
import java.time.Duration;

/** Redis server for tests, with timeouts for slow machines. */
final class LimiterServer implements AutoCloseable {
  private final EmbeddedRedis redis = EmbeddedRedis.builder().start();

  RedisSettings settings(String prefix) {
    return RedisSettings.of(redis.uri()).withKeyPrefix(prefix).withTimeout(Duration.ofSeconds(10));
  }

  int port() {
    return redis.port();
  }

  @Override
  public void close() {
    redis.close();
  }
}

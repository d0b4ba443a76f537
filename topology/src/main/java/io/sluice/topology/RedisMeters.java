package io.sluice.topology;

import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisSettings;
import java.time.Duration;
import java.util.function.Supplier;

/** The one meter in Redis that all stream threads of an instance share, made when first needed. */
final class RedisMeters implements Supplier<RedisMeter>, AutoCloseable {
  private final SluiceConfig config;
  private RedisMeter meter;

  RedisMeters(SluiceConfig config) {
    this.config = config;
  }

  @Override
  public synchronized RedisMeter get() {
    if (meter == null) meter = new RedisMeter(settings());
    return meter;
  }

  private RedisSettings settings() {
    RedisConfig redis = config.redis();
    boolean eventTime = config.time() == TimeSource.EVENT;
    Duration longer = redis.grace().plus(config.timeLateness());
    Duration grace = eventTime ? RedisSettings.atMostLongest(longer) : Duration.ZERO;
    int connections = config.streamThreads() + 1; // one to find out whether Redis is back
    return new RedisSettings(redis.uri(), redis.keyPrefix(), redis.timeout(), connections, grace);
  }

  @Override
  public synchronized void close() {
    if (meter != null) meter.close();
  }
}

package io.sluice.topology;

import io.sluice.limiter.redis.RedisMeter;
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
    if (meter == null) meter = new RedisMeter(config.redis().settings(config));
    return meter;
  }

  @Override
  public synchronized void close() {
    if (meter != null) meter.close();
  }
}

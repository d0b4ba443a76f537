package io.sluice.topology.redis;

import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisSettings;
import io.sluice.rules.settings.RedisConfig;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.metrics.RedisMetrics;
import java.time.Duration;
import java.util.function.Supplier;

/** The one meter in Redis that all stream threads of an instance share, created on first use. */
final class SharedRedisMeter implements Supplier<RedisCalls>, AutoCloseable {
  /**
   * Longest time that a busy Redis may keep a call waiting. A thread may have to open a connection,
   * ask, and then wait for Redis to be back: together less than the 10 s after which an
   * exactly-once transaction is aborted.
   */
  private static final Duration MOST_BUSY = Duration.ofSeconds(2);

  /**
   * Connections to each server per stream thread. A stream thread asks about what it processes
   * while another thread, one for each server, asks ahead, and may still do so when the stream
   * thread is replaced. While slots move to a server, threads of their old servers may ask it too,
   * and wait for a connection.
   */
  private static final int CONNECTIONS_PER_THREAD = 3;

  /** Connection that finds out whether Redis is back. */
  private static final int CONNECTIONS_BESIDES = 1;

  private static final int CONNECTIONS_FOR_QUESTIONS = 4;

  private final SluiceConfig config;
  private final RedisMetrics metrics;
  private RedisMeter meter;
  private RedisCalls calls;

  SharedRedisMeter(SluiceConfig config, RedisMetrics metrics) {
    this.config = config;
    this.metrics = metrics;
  }

  @Override
  public synchronized RedisCalls get() {
    if (meter == null) {
      meter = new RedisMeter(settings(config), metrics::waitedInLine);
      calls = RedisCalls.of(meter);
    }
    return calls;
  }

  static RedisSettings settings(SluiceConfig config) {
    return settings(config, CONNECTIONS_PER_THREAD * config.streamThreads() + CONNECTIONS_BESIDES);
  }

  /** Returns settings with connections that metering does not use, for read-only queries. */
  static RedisSettings settingsForQuestions(SluiceConfig config) {
    return settings(config, CONNECTIONS_FOR_QUESTIONS);
  }

  private static RedisSettings settings(SluiceConfig config, int connections) {
    RedisConfig redis = config.redis();
    // No event is late by the wall clock; the grace is enough for a process that stood still.
    boolean mayBeLate = config.judgesByEventTime();
    Duration late = mayBeLate ? config.timeLateness() : Duration.ZERO;
    Duration grace = RedisSettings.atMostLongest(redis.grace().plus(late));
    return new RedisSettings(
        redis.uri(), redis.keyPrefix(), redis.timeout(), MOST_BUSY, connections, grace);
  }

  @Override
  public synchronized void close() {
    if (meter != null) meter.close();
  }
}

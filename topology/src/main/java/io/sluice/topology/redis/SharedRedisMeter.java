package io.sluice.topology.redis;

import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisSettings;
import io.sluice.rules.settings.RedisConfig;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.metrics.RedisMetrics;
import io.sluice.topology.redis.RedisCaller.RedisCalls;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Supplier of the Redis client for metering that all stream threads of an instance share. The
 * client is created on first use.
 */
final class SharedRedisMeter implements Supplier<RedisCalls>, AutoCloseable {
  /**
   * Longest time that a call waits for a Redis that is busy but alive. A stream thread may have to
   * open a connection, make a call, and then wait for Redis to be back. All of this must take less
   * than the 10 s after which an exactly-once transaction is aborted.
   */
  private static final Duration MOST_BUSY = Duration.ofSeconds(2);

  /**
   * Connections to each Redis server per stream thread. A stream thread calls Redis about the event
   * that it processes, while a background thread for each server asks about events that are not
   * processed yet, and may still do so when the stream thread is replaced. While Cluster slots move
   * to a server, the background threads of other servers may call that server too; such a call may
   * wait for a connection.
   */
  private static final int CONNECTIONS_PER_THREAD = 3;

  /** Further connections to each Redis server: one that checks whether Redis is back. */
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

  /** Returns the settings of a separate Redis client for read-only queries, apart from metering. */
  static RedisSettings settingsForQuestions(SluiceConfig config) {
    return settings(config, CONNECTIONS_FOR_QUESTIONS);
  }

  private static RedisSettings settings(SluiceConfig config, int connections) {
    RedisConfig redis = config.redis();
    // Redis keeps counts longer by the lateness of events. By the wall clock, no event is late.
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

package io.sluice.topology.redis;

import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisSettings;
import io.sluice.topology.config.RedisConfig;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.metrics.RedisMetrics;
import java.time.Duration;
import java.util.function.Supplier;

/** The one meter in Redis that all stream threads of an instance share, made when first needed. */
final class SharedRedisMeter implements Supplier<RedisCalls>, AutoCloseable {
  /**
   * How long Redis may keep a call waiting because it has much to do. A thread may have to open a
   * connection, ask, and then wait for Redis to be back: all of that is less than the 10 s that an
   * exactly-once transaction bears.
   */
  private static final Duration MOST_BUSY = Duration.ofSeconds(2);

  /**
   * To each server. A stream thread asks about what it processes while another thread, one for each
   * server, asks about what comes next; and that one may still be at it when the stream thread is
   * replaced. While slots move to a server, those of their old servers may ask it too, and wait for
   * a connection.
   */
  private static final int CONNECTIONS_PER_THREAD = 3;

  /** To find out whether Redis is back. */
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

  /** With connections that metering does not need. */
  static RedisSettings settingsForQuestions(SluiceConfig config) {
    return settings(config, CONNECTIONS_FOR_QUESTIONS);
  }

  private static RedisSettings settings(SluiceConfig config, int connections) {
    RedisConfig redis = config.redis();
    // By the wall clock nothing is late, but who was frozen asks with a clock of a moment ago.
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

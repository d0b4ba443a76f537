package io.sluice.limiter.redis;

import io.sluice.embedded.EmbeddedRedis;
import java.time.Duration;
import redis.clients.jedis.Connection;
import redis.clients.jedis.RedisClient;

/** Redis server for tests, with a client that can read its keys. */
final class RedisTestServer implements AutoCloseable {
  final EmbeddedRedis server = builder().start();
  final RedisClient client = RedisClient.create("127.0.0.1", server.port());

  /**
   * Uses the installed Redis, or the bundled 6.2, which is the oldest that the script must run on.
   */
  private static EmbeddedRedis.Builder builder() {
    EmbeddedRedis.Builder builder = EmbeddedRedis.builder();
    return Boolean.getBoolean("sluice.redis.bundled") ? builder.bundled() : builder;
  }

  /** Returns settings with keys for one test only, and with timeouts for slow machines. */
  RedisSettings settings(String keyPrefix) {
    return RedisSettings.of(server.uri())
        .withKeyPrefix(keyPrefix)
        .withTimeout(Duration.ofSeconds(10));
  }

  Connection connect() {
    return new Connection("127.0.0.1", server.port());
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}

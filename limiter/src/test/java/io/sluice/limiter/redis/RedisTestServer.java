package io.sluice.limiter.redis;

import io.sluice.embedded.EmbeddedRedis;
import java.time.Duration;
import redis.clients.jedis.Connection;
import redis.clients.jedis.RedisClient;

/** A Redis for tests, and a client of its own to look at what is in it. */
final class RedisTestServer implements AutoCloseable {
  final EmbeddedRedis server = builder().start();
  final RedisClient client = RedisClient.create("127.0.0.1", server.port());

  /** The installed one, or the bundled 6.2, which is the oldest that scripts must run on. */
  private static EmbeddedRedis.Builder builder() {
    EmbeddedRedis.Builder builder = EmbeddedRedis.builder();
    return Boolean.getBoolean("sluice.redis.bundled") ? builder.bundled() : builder;
  }

  /** Settings under which a test has its keys to itself, and slow machines time. */
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

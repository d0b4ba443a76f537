package io.sluice.limiter.redis;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import redis.clients.jedis.RedisClient;

/** Redis for the tests of a class, which is empty before each test, with a new meter for each. */
final class FreshRedis
    implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {
  RedisClient client;
  RedisMeter meter;
  private RedisTestServer server;

  @Override
  public void beforeAll(ExtensionContext context) {
    server = new RedisTestServer();
    client = server.client;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    client.flushAll();
    meter = new RedisMeter(settings("sluice"));
  }

  RedisSettings settings(String keyPrefix) {
    return server.settings(keyPrefix);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    meter.close();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    server.close();
  }
}

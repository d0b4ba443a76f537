package io.sluice.limiter.redis;

import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.SslOptions;

/** How connections are opened, and how many. */
final class Dialing {
  private Dialing() {}

  static JedisClientConfig client(Login login, RedisSettings settings) {
    int timeoutMillis = (int) settings.timeout().toMillis();
    DefaultJedisClientConfig.Builder config =
        DefaultJedisClientConfig.builder()
            .resp2()
            .connectionTimeoutMillis(timeoutMillis)
            .socketTimeoutMillis(timeoutMillis)
            .database(login.database());
    // Trusts whom the JVM trusts, and holds the certificate to the host's name.
    if (login.encrypted()) config.sslOptions(SslOptions.defaults());
    if (!login.user().isEmpty()) config.user(login.user());
    if (!login.password().isEmpty()) config.password(login.password());
    return config.build();
  }

  static ConnectionPoolConfig pool(RedisSettings settings) {
    ConnectionPoolConfig config = new ConnectionPoolConfig();
    config.setMaxTotal(settings.connections());
    config.setMaxIdle(settings.connections());
    config.setMaxWait(settings.timeout());
    config.setJmxEnabled(false);
    return config;
  }
}

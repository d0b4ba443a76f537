package io.sluice.limiter.redis;

import io.sluice.limiter.redis.RedisUri.Credentials;
import java.time.Duration;
import java.util.Arrays;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.SslOptions;

/**
 * Configuration of the Jedis client: the number of connections, how they are opened, and how long
 * they wait.
 *
 * @param whenBusy task that runs whenever a healthy server takes longer than the timeout to answer
 */
record JedisConfig(RedisSettings settings, Runnable whenBusy) {
  /**
   * Shortest time that a PING may take if calls may wait for busy servers. A busy server serves its
   * clients in turn, a few milliseconds each, and accepts new connections once per round: with a
   * hundred clients, even a PING takes some hundred milliseconds.
   */
  private static final Duration PING_AT_LEAST = Duration.ofSeconds(1);

  JedisConfig {
    requireJedis(DefaultJedisClientConfig.Builder.class);
  }

  /**
   * Checks that the version of Jedis is 8 or later. A program's BOM can choose an older version,
   * which would fail only when Redis is asked.
   */
  static void requireJedis(Class<?> builder) {
    boolean known = Arrays.stream(builder.getMethods()).anyMatch(m -> m.getName().equals("resp2"));
    if (known) return;
    throw new IllegalStateException(
        "Jedis is older than 8 on the class path ("
            + builder.getResource("JedisClientConfig.class")
            + "): set redis.clients:jedis to 8.0.2 or later in the build");
  }

  JedisClientConfig client(Credentials credentials) {
    return client(credentials, settings.timeout());
  }

  /**
   * Returns the client configuration for a rare request to a server that may be busy, with the
   * timeout of a PING.
   */
  JedisClientConfig patientClient(Credentials credentials) {
    return client(credentials, pingTimeout());
  }

  /**
   * Returns the longest time that a server may take to answer a PING before it counts as
   * unavailable.
   */
  Duration pingTimeout() {
    Duration timeout = settings.timeout();
    boolean longer = isPatient() && timeout.compareTo(PING_AT_LEAST) < 0;
    return longer ? PING_AT_LEAST : timeout;
  }

  boolean isPatient() {
    return !settings.patience().isZero();
  }

  private JedisClientConfig client(Credentials credentials, Duration answerTimeout) {
    DefaultJedisClientConfig.Builder config =
        DefaultJedisClientConfig.builder()
            .resp2()
            .connectionTimeoutMillis((int) settings.timeout().toMillis())
            .socketTimeoutMillis((int) answerTimeout.toMillis())
            .database(credentials.database());
    // TLS trusts the certificates that the JVM trusts, and verifies the server's host name.
    if (credentials.encrypted()) config.sslOptions(SslOptions.defaults());
    if (!credentials.user().isEmpty()) config.user(credentials.user());
    if (!credentials.password().isEmpty()) config.password(credentials.password());
    return config.build();
  }

  ConnectionPoolConfig pool() {
    ConnectionPoolConfig config = new ConnectionPoolConfig();
    config.setMaxTotal(settings.connections());
    config.setMaxIdle(settings.connections());
    config.setMaxWait(settings.timeout().plus(settings.patience()));
    config.setJmxEnabled(false);
    return config;
  }

  /** Returns the deadline until which a call that begins now may wait for busy servers. */
  Deadline deadline() {
    return new Deadline(System.nanoTime() + settings.patience().toNanos());
  }

  /**
   * Instant until which a call may wait for the answers of busy servers, beyond the timeout.
   *
   * @param nanos the instant, by {@link System#nanoTime}
   */
  record Deadline(long nanos) {
    boolean hasPassed() {
      return System.nanoTime() - nanos >= 0;
    }
  }
}

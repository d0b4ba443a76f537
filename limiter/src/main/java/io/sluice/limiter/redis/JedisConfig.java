package io.sluice.limiter.redis;

import io.sluice.limiter.redis.RedisUri.Credentials;
import java.time.Duration;
import java.util.Arrays;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.SslOptions;

/**
 * Jedis' configuration: how many connections there may be, how they are opened, and how long they
 * wait.
 *
 * @param whenBusy told whenever an answer took longer than the timeout from a server that is well
 */
record JedisConfig(RedisSettings settings, Runnable whenBusy) {
  /**
   * A server with much to do serves all that have something for it in turn, a few milliseconds
   * each, and takes new connections once in a round: with a hundred to serve a PING takes some
   * hundred milliseconds as well.
   */
  private static final Duration PING_AT_LEAST = Duration.ofSeconds(1);

  JedisConfig {
    requireJedis(DefaultJedisClientConfig.Builder.class);
  }

  /** A BOM of others may choose an older one, whose methods would be missed when Redis is asked. */
  static void requireJedis(Class<?> builder) {
    boolean known = Arrays.stream(builder.getMethods()).anyMatch(m -> m.getName().equals("resp2"));
    if (known) return;
    throw new IllegalStateException(
        "Jedis is older than 8 on the class path ("
            + builder.getResource("JedisClientConfig.class")
            + "): have the build choose redis.clients:jedis 8.0.2 or later");
  }

  JedisClientConfig client(Credentials credentials) {
    return client(credentials, settings.timeout());
  }

  /** For a question that is asked seldom, of a server that may be busy. */
  JedisClientConfig patientClient(Credentials credentials) {
    return client(credentials, pingTimeout());
  }

  /** How long a server may take for a PING until it counts as gone. */
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
    // Trusts whom the JVM trusts, and holds the certificate to the host's name.
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

  ServerPool server(HostAndPort at, Credentials credentials) {
    return new ServerPool(at, credentials, this);
  }

  /** Until when what begins now may wait for servers that are busy. */
  Deadline deadline() {
    return new Deadline(System.nanoTime() + settings.patience().toNanos());
  }

  /**
   * An instant until which answers may be waited for beyond the timeout.
   *
   * @param nanos by {@link System#nanoTime}
   */
  record Deadline(long nanos) {
    boolean hasPassed() {
      return System.nanoTime() - nanos >= 0;
    }
  }
}

package io.sluice.limiter.redis;

import io.sluice.limiter.LimiterUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.resps.ScanResult;

/** Pooled connections to one Redis. None is opened before it is needed. Safe for many threads. */
final class RedisConnections implements AutoCloseable {
  private static final int SCANNED_AT_ONCE = 1_000;

  private final RedisAddress address;
  private final RedisClient client;

  RedisConnections(RedisSettings settings) {
    address = RedisAddress.parse(settings.uri());
    int timeoutMillis = (int) settings.timeout().toMillis();
    client =
        RedisClient.builder()
            .hostAndPort(address.host(), address.port())
            .clientConfig(clientConfig(address, timeoutMillis))
            .poolConfig(poolConfig(settings))
            .build();
  }

  private static DefaultJedisClientConfig clientConfig(RedisAddress address, int timeoutMillis) {
    DefaultJedisClientConfig.Builder config =
        DefaultJedisClientConfig.builder()
            .resp2()
            .connectionTimeoutMillis(timeoutMillis)
            .socketTimeoutMillis(timeoutMillis)
            .database(address.database());
    if (address.encrypted()) config.sslOptions(SslOptions.defaults());
    if (!address.user().isEmpty()) config.user(address.user());
    if (!address.password().isEmpty()) config.password(address.password());
    return config.build();
  }

  private static ConnectionPoolConfig poolConfig(RedisSettings settings) {
    ConnectionPoolConfig config = new ConnectionPoolConfig();
    config.setMaxTotal(settings.connections());
    config.setMaxIdle(settings.connections());
    config.setMaxWait(settings.timeout());
    config.setJmxEnabled(false);
    return config;
  }

  /** Runs the script by its name, or by its text where Redis does not know the name. */
  Object run(RedisScript script, List<byte[]> keys, List<byte[]> args) {
    return reached(
        () -> {
          try {
            return client.evalsha(script.sha1(), keys, args);
          } catch (JedisNoScriptException e) {
            return client.eval(script.text(), keys, args);
          }
        });
  }

  void ping() {
    reached(client::ping);
  }

  /** Deletes every key that matches. */
  void removeAll(String pattern) {
    ScanParams params = new ScanParams().match(pattern).count(SCANNED_AT_ONCE);
    byte[] cursor = ScanParams.SCAN_POINTER_START_BINARY;
    do {
      byte[] from = cursor;
      ScanResult<byte[]> page = reached(() -> client.scan(from, params));
      byte[][] keys = page.getResult().toArray(new byte[0][]);
      if (keys.length > 0) reached(() -> client.unlink(keys));
      cursor = page.getCursorAsBytes();
    } while (!new String(cursor, StandardCharsets.US_ASCII).equals(ScanParams.SCAN_POINTER_START));
  }

  private <T> T reached(Supplier<T> command) {
    try {
      return command.get();
    } catch (JedisException e) {
      // Others in the pool lead to the same dead or demoted server; better connect anew.
      if (e instanceof JedisConnectionException || isReadOnly(e)) client.getPool().clear();
      throw new LimiterUnavailableException("Redis at " + address + ": " + reason(e), e);
    }
  }

  private static boolean isReadOnly(JedisException e) {
    return String.valueOf(e.getMessage()).startsWith("READONLY");
  }

  /** The cause of the causes, in one line. */
  private static String reason(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null) cause = cause.getCause();
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message.replaceAll("\\s+", " ");
  }

  @Override
  public void close() {
    client.close();
  }
}

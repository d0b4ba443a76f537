package io.sluice.limiter.redis;

import io.sluice.limiter.LimiterUnavailableException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.params.SetParams;
import redis.clients.jedis.resps.ScanResult;

/** Pooled connections to one Redis. None is opened before it is needed. Safe for many threads. */
final class RedisConnections implements AutoCloseable {
  private static final int SCANNED_AT_ONCE = 1_000;

  /**
   * Together no more arrivals than a key remembers, so that none is unknown if answers are lost.
   */
  private static final int MOST_UNDERWAY = 2;

  private static final byte[] NOTHING = {};

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

  /**
   * Runs the script for every call, in order, a call ahead of the answer. Where that breaks off for
   * a reason that a new connection or the script's text mends, it goes on from there.
   */
  void run(RedisScript script, ScriptCalls calls) {
    Deque<ScriptCall> underway = new ArrayDeque<>();
    while (calls.hasNext()) {
      try {
        pipe(script, calls, underway);
      } catch (JedisException e) {
        if (!isStale(e) && !(e instanceof JedisNoScriptException)) throw unavailable(e);
        client.getPool().clear();
      }
      while (!underway.isEmpty()) {
        ScriptCall call = underway.element();
        calls.answered(call, run(script, call.keys(), call.args()));
        underway.remove();
      }
    }
  }

  private void pipe(RedisScript script, ScriptCalls calls, Deque<ScriptCall> underway) {
    Connection connection = client.getPool().getResource();
    try (ScriptPipeline pipeline = new ScriptPipeline(connection, script)) {
      while (calls.hasNext() || !underway.isEmpty()) {
        if (calls.hasNext()) {
          ScriptCall next = calls.next();
          underway.add(next);
          pipeline.send(next.keys(), next.args());
        }
        if (underway.size() == MOST_UNDERWAY || !calls.hasNext()) {
          calls.answered(underway.element(), pipeline.receive());
          underway.remove();
        }
      }
    }
  }

  /** Runs the script by its name, or by its text where Redis does not know the name. */
  private Object run(RedisScript script, List<byte[]> keys, List<byte[]> args) {
    return reached(
        () -> {
          try {
            return client.evalsha(script.sha1(), keys, args);
          } catch (JedisNoScriptException e) {
            return client.eval(script.text(), keys, args);
          }
        });
  }

  /** Writes a key that is gone in a moment. */
  void probe(byte[] key) {
    reached(() -> client.set(key, NOTHING, SetParams.setParams().px(1_000)));
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

  /**
   * A connection that was closed from the other side, or leads to a server that has become a
   * replica, says nothing about Redis as it is now, so a new one is tried at once; a second failure
   * is taken at its word. So is a timeout, because trying again would double the wait.
   */
  private <T> T reached(Supplier<T> command) {
    try {
      try {
        return command.get();
      } catch (JedisException e) {
        if (!isStale(e)) throw e;
        client.getPool().clear();
        return command.get();
      }
    } catch (JedisException e) {
      throw unavailable(e);
    }
  }

  private LimiterUnavailableException unavailable(JedisException e) {
    // Others in the pool lead to the same dead or demoted server; better connect anew.
    if (e instanceof JedisConnectionException || isReadOnly(e)) client.getPool().clear();
    return new LimiterUnavailableException("Redis at " + address + ": " + reason(e), e);
  }

  private static boolean isStale(JedisException e) {
    return isReadOnly(e) || (e instanceof JedisConnectionException && !isTimeout(e));
  }

  private static boolean isReadOnly(JedisException e) {
    return String.valueOf(e.getMessage()).startsWith("READONLY");
  }

  private static boolean isTimeout(Throwable e) {
    for (Throwable each = e; each != null; each = each.getCause()) {
      if (each instanceof SocketTimeoutException) return true;
    }
    return false;
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

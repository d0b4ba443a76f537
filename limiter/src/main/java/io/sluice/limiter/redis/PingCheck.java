package io.sluice.limiter.redis;

import io.sluice.limiter.redis.RedisUri.Credentials;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Health check of one Redis server: whether it answers a PING on a new connection. Thread-safe;
 * concurrent callers share the result of a PING.
 */
final class PingCheck {
  /*
   * Each PING opens a new connection: an older connection may have been cut on the way, and would
   * say nothing about the server. The new connection does not log in, because an error reply also
   * shows that the server is alive.
   */
  private final JedisSocketFactory dial;
  private volatile long heard = System.nanoTime();
  private long felt = heard;
  private boolean alive;

  PingCheck(HostAndPort at, Credentials credentials, JedisConfig jedis) {
    dial = new DefaultJedisSocketFactory(at, jedis.patientClient(credentials));
  }

  /** Records that the server has just answered a request on any connection. */
  void heard() {
    heard = System.nanoTime();
  }

  /**
   * Whether the server has answered a PING or another request since this nano time, or answers a
   * PING now.
   */
  synchronized boolean isFeltSince(long nanos) {
    if (felt - nanos < 0) {
      alive = ping();
      felt = System.nanoTime();
    }
    return alive || heard - nanos >= 0;
  }

  private boolean ping() {
    try (Connection connection = new Connection(dial)) {
      connection.sendCommand(Command.PING);
      connection.getOne();
      return true;
    } catch (JedisDataException e) {
      return true;
    } catch (JedisException e) {
      return false;
    }
  }
}

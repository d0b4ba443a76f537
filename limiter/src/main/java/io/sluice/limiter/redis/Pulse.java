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
 * A sign of life of one server: whether it answers a PING on a connection of its own. Safe for many
 * threads, which share an answer.
 */
final class Pulse {
  /*
   * The connection is a new one each time: one that was kept may have been cut by something in
   * between, and says nothing then. It does not log in, for an error is an answer too.
   */
  private final JedisSocketFactory dial;
  private volatile long heard = System.nanoTime();
  private long felt = heard;
  private boolean alive;

  Pulse(HostAndPort at, Credentials credentials, JedisConfig jedis) {
    dial = new DefaultJedisSocketFactory(at, jedis.patientClient(credentials));
  }

  /** Called when the server has answered anybody. */
  void heard() {
    heard = System.nanoTime();
  }

  /** Whether the server has answered a PING, or anybody, after this instant, or does so now. */
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

package io.sluice.limiter.redis;

import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;

/**
 * Test write that shows whether a Redis server could charge a key. A PING does not show this: a
 * replica, a node of a Cluster that is down, and a server that is out of memory all answer a PING,
 * but accept no write.
 */
final class Probe {
  private static final int GONE_AFTER_MS = 1_000;

  private Probe() {}

  static CommandArguments of(byte[] key) {
    return new CommandArguments(Command.SET).add(key).add("").add("PX").add(GONE_AFTER_MS);
  }
}

package io.sluice.limiter.redis;

import redis.clients.jedis.exceptions.JedisException;

/**
 * Connection pool of the one Redis server that has all keys: a single server, or a Sentinel's
 * master.
 */
interface MasterPool extends AutoCloseable {
  /**
   * Returns the connection pool of the present master.
   *
   * @throws JedisException if it is not known which server is the master
   */
  ServerPool current();

  /** Closes the idle connections to the master, because a connection has failed. */
  void clear();

  @Override
  void close();
}

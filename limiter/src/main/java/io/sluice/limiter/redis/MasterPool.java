package io.sluice.limiter.redis;

import redis.clients.jedis.exceptions.JedisException;

/** Connection pool of the one server that has all keys. */
interface MasterPool extends AutoCloseable {
  /**
   * Returns the pool of the present master.
   *
   * @throws JedisException if the master cannot be found out
   */
  ServerPool current();

  /** Closes the idle connections, because a connection has failed. */
  void clear();

  @Override
  void close();

  /** Pool of a server that is always the same. */
  record Fixed(ServerPool current) implements MasterPool {
    @Override
    public void clear() {
      current.clear();
    }

    @Override
    public void close() {
      current.close();
    }
  }
}

package io.sluice.limiter.redis;

import redis.clients.jedis.exceptions.JedisException;

/** Pooled connections to the one server that has all keys. */
interface MasterPool extends AutoCloseable {
  /**
   * The pool to take a connection from now.
   *
   * @throws JedisException if it cannot be found out where Redis is
   */
  ServerPool current();

  /** Drops the idle connections: one of them led to nothing. */
  void clear();

  @Override
  void close();

  /** Always the same server. */
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

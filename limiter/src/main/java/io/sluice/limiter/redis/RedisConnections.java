package io.sluice.limiter.redis;

import io.sluice.limiter.LimiterUnavailableException;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Pooled connections to the servers that have the keys. None is opened before it is needed. Safe
 * for many threads.
 *
 * <p>What cannot be answered is a {@link LimiterUnavailableException}; connections that led to it
 * are dropped, and the next call looks anew where Redis is.
 */
interface RedisConnections extends AutoCloseable {
  static RedisConnections of(JedisConfig jedis) {
    RedisAddress address = RedisAddress.parse(jedis.settings().uri());
    if (address instanceof RedisAddress.Cluster cluster) return new RedisCluster(cluster, jedis);
    if (address instanceof RedisAddress.Sentinels sentinels) {
      return RedisStandalone.namedBy(sentinels, jedis);
    }
    return RedisStandalone.at((RedisAddress.Server) address, jedis);
  }

  /** Whether one script reaches only the keys of one place, see {@link #placeOf}. */
  boolean hasPlaces();

  /** The place of the key; one script reaches all keys of a place. */
  int placeOf(byte[] key);

  /**
   * The server that has the place, as far as is known, or an empty text. Asks nobody, and waits for
   * nobody.
   */
  String serverOf(int place);

  /**
   * Runs the script for every batch, by its name, or by its text where a server does not know the
   * name. Batches run in their order; the calls within one do in any. If a call has no answer, the
   * requests behind it for the same place, or for the same server if that does not answer, are left
   * out; those for others are still answered.
   *
   * @throws LimiterUnavailableException in the end, if a call has no answer
   */
  void run(RedisScript script, Batches batches);

  /** Does something at every server that has keys, with one that it has. */
  void atEach(RedisKeys names, Visit visit);

  /** An action at a server. */
  @FunctionalInterface
  interface Visit {
    /**
     * @throws JedisException if the server cannot do its part
     */
    void at(Connection connection, byte[] key);
  }

  /** Deletes every key that matches. */
  void removeAll(String pattern);

  @Override
  void close();
}

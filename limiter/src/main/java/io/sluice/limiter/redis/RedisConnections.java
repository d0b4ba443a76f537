package io.sluice.limiter.redis;

import io.sluice.limiter.LimiterUnavailableException;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Pooled connections to the Redis servers that have the keys, opened on first use. Thread-safe.
 *
 * <p>A request without an answer ends with a {@link LimiterUnavailableException}. The connections
 * on which it failed are dropped, and the next call looks for the servers again.
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

  /** Whether a script reaches only the keys of one place (hash slot), see {@link #placeOf}. */
  boolean hasPlaces();

  /** Returns the place (hash slot) of a key; one script reaches all keys of a place. */
  int placeOf(byte[] key);

  /**
   * Returns the server that is known to have a place (hash slot); an empty text if it is not known.
   * Asks no server, and never blocks.
   */
  String serverOf(int place);

  /**
   * Runs the script for every batch, by its digest, or by its text at a server that does not know
   * the script. Batches run in order, the calls of a batch in any order. If a call has no answer,
   * later requests for the same place (hash slot) are left out, or all for the same server if the
   * server is silent. Requests for other servers are still answered.
   *
   * @throws LimiterUnavailableException in the end, if a call has no answer
   */
  void run(RedisScript script, Batches batches);

  /** Runs an action at every server that has keys, with a key that this server has. */
  void atEach(RedisKeys names, Visit visit);

  /** Action on a connection to one Redis server. */
  @FunctionalInterface
  interface Visit {
    /**
     * @throws JedisException if the action fails at the server
     */
    void at(Connection connection, byte[] key);
  }

  /** Deletes every key that matches a pattern. */
  void removeAll(String pattern);

  @Override
  void close();
}

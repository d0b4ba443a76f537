package io.sluice.limiter.redis;

import io.sluice.limiter.LimiterUnavailableException;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Pooled connections to the servers that have the keys, opened on first use. Thread-safe.
 *
 * <p>A request without an answer ends with a {@link LimiterUnavailableException}. Connections that
 * led to it are dropped, and the next call finds the servers again.
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

  /** Whether a script reaches only the keys of one place, see {@link #placeOf}. */
  boolean hasPlaces();

  /** Returns the place (slot) of a key; one script reaches all keys of a place. */
  int placeOf(byte[] key);

  /** Returns the known server of a place, or an empty text. Asks no server, and never blocks. */
  String serverOf(int place);

  /**
   * Runs the script for every batch, by its name, or by its text at a server that does not know the
   * name. Batches run in order, the calls of a batch in any order. If a call has no answer, later
   * requests for the same place are left out, or for the same server if it is silent; those for
   * other servers are still answered.
   *
   * @throws LimiterUnavailableException in the end, if a call has no answer
   */
  void run(RedisScript script, Batches batches);

  /** Runs an action at every server that has keys, with one of that server's keys. */
  void atEach(RedisKeys names, Visit visit);

  /** Action at one server. */
  @FunctionalInterface
  interface Visit {
    /**
     * @throws JedisException if the server cannot do its part
     */
    void at(Connection connection, byte[] key);
  }

  /** Deletes every key that matches a pattern. */
  void removeAll(String pattern);

  @Override
  void close();
}

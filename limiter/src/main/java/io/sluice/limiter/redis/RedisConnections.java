package io.sluice.limiter.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.sluice.limiter.LimiterUnavailableException;
import java.util.Arrays;
import java.util.List;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
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

  /**
   * Returns a test write that shows whether a server could charge a key. A PING does not show this:
   * a replica, a node of a Cluster that is down, and a server that is out of memory all answer a
   * PING, but accept no write.
   */
  static CommandArguments probe(byte[] key) {
    return new CommandArguments(Command.SET).add(key).add("").add("PX").add(1_000);
  }

  /** Deletes every key that matches a pattern. */
  void removeAll(String pattern);

  /** Deletes the keys of one Redis server that match a pattern. */
  static void removeAll(Connection connection, String pattern) {
    byte[] start = "0".getBytes(US_ASCII);
    byte[] cursor = start;
    do {
      CommandArguments scan = new CommandArguments(Command.SCAN).add(cursor);
      scan.add("MATCH").add(pattern).add("COUNT").add(1_000);
      List<?> page = (List<?>) connection.executeCommand(scan);
      cursor = (byte[]) page.get(0);
      // One UNLINK for each key, because the keys of a Cluster's node are in different slots.
      List<?> keys = (List<?>) page.get(1);
      for (Object key : keys) connection.sendCommand(Command.UNLINK, (byte[]) key);
      for (Object answer : connection.getMany(keys.size())) {
        if (answer instanceof JedisException e) throw e;
      }
    } while (!Arrays.equals(cursor, start));
  }

  @Override
  void close();
}

package io.sluice.limiter.redis;

import io.sluice.limiter.LimiterUnavailableException;

/**
 * Pooled connections to the servers that have the keys. None is opened before it is needed. Safe
 * for many threads.
 *
 * <p>What cannot be answered is a {@link LimiterUnavailableException}; connections that led to it
 * are dropped, and the next call looks anew where Redis is.
 */
interface RedisConnections extends AutoCloseable {
  static RedisConnections of(RedisSettings settings) {
    RedisAddress address = RedisAddress.parse(settings.uri());
    if (address instanceof RedisAddress.Cluster cluster) return new RedisCluster(cluster, settings);
    if (address instanceof RedisAddress.Sentinels sentinels) {
      return OneServer.namedBy(sentinels, settings);
    }
    return OneServer.at((RedisAddress.Server) address, settings);
  }

  /** Whether one script reaches only the keys of one place, see {@link #placeOf}. */
  boolean hasPlaces();

  /** The place of the key; one script reaches all keys of a place. */
  int placeOf(byte[] key);

  /**
   * Runs the script for every batch, by its name, or by its text where a server does not know the
   * name. Batches run in their order; the calls within one do in any.
   */
  void run(RedisScript script, Batches batches);

  /** Returns if every server takes writes; writes keys that are gone in a moment. */
  void probe(RedisKeys names);

  /** Deletes every key that matches. */
  void removeAll(String pattern);

  @Override
  void close();
}

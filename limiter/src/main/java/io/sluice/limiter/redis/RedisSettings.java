package io.sluice.limiter.redis;

import java.time.Duration;

/**
 * Redis' address, and the ways in which it is used.
 *
 * @param uri one server is {@code redis://[user:password@]host[:port][/db]}; a comma list of these
 *     is the nodes of a Cluster; {@code
 *     redis-sentinel://[user:password@]host[:port],...[/db]?master=NAME} is the master that
 *     Sentinels name, who may have a {@code sentinel-user} and {@code sentinel-password} of their
 *     own among the parameters. {@code rediss://} and {@code rediss-sentinel://} use TLS and trust
 *     whom the JVM trusts
 * @param keyPrefix what every key begins with; without braces, which place a key in a Cluster
 * @param timeout the longest wait to connect, for a free connection, and for an answer; at least 1
 *     ms
 * @param patience how much longer an answer is waited for, and a free connection, if the server has
 *     much to do but is well: it answers a PING on a connection of its own, within the timeout or a
 *     second, whichever is longer. All that one call asks together has this once; 0 is to wait for
 *     the timeout alone
 * @param connections how many are open at most, to each node of a Cluster
 * @param grace how long a key is kept beyond its need. Redis forgets by the wall clock; where
 *     arrivals are judged by another, this is how far that one may fall behind
 */
public record RedisSettings(
    String uri,
    String keyPrefix,
    Duration timeout,
    Duration patience,
    int connections,
    Duration grace) {
  private static final Duration LONGEST_GRACE = Duration.ofDays(3660);

  public RedisSettings {
    RedisAddress.parse(uri);
    if (keyPrefix.isEmpty() || keyPrefix.matches("(?s).*[{}].*")) {
      throw new IllegalArgumentException(
          "a key prefix is not empty and has no braces: " + keyPrefix);
    }
    if (timeout.toMillis() < 1 || timeout.toMillis() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("timeout must be at least 1 ms: " + timeout);
    }
    if (patience.isNegative() || patience.toMillis() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("patience must be at least 0 ms: " + patience);
    }
    if (connections < 1) {
      throw new IllegalArgumentException("connections must be at least 1: " + connections);
    }
    if (grace.isNegative() || grace.compareTo(LONGEST_GRACE) > 0) {
      throw new IllegalArgumentException("grace must be 0 to 3660d: " + grace);
    }
  }

  /** This long, or as long as can be. */
  public static Duration atMostLongest(Duration wanted) {
    return wanted.compareTo(LONGEST_GRACE) < 0 ? wanted : LONGEST_GRACE;
  }

  /** Keys under {@code sluice}, 100 ms and no patience, 8 connections, and 10 minutes' grace. */
  public static RedisSettings of(String uri) {
    return new RedisSettings(
        uri, "sluice", Duration.ofMillis(100), Duration.ZERO, 8, Duration.ofMinutes(10));
  }

  public RedisSettings withKeyPrefix(String newKeyPrefix) {
    return new RedisSettings(uri, newKeyPrefix, timeout, patience, connections, grace);
  }

  public RedisSettings withTimeout(Duration newTimeout) {
    return new RedisSettings(uri, keyPrefix, newTimeout, patience, connections, grace);
  }

  public RedisSettings withPatience(Duration newPatience) {
    return new RedisSettings(uri, keyPrefix, timeout, newPatience, connections, grace);
  }

  public RedisSettings withConnections(int newConnections) {
    return new RedisSettings(uri, keyPrefix, timeout, patience, newConnections, grace);
  }

  public RedisSettings withGrace(Duration newGrace) {
    return new RedisSettings(uri, keyPrefix, timeout, patience, connections, newGrace);
  }

  /**
   * Whether the keys are spread over the nodes of a Cluster, so that all buckets of an arrival must
   * share a tag.
   */
  public boolean isCluster() {
    return RedisAddress.parse(uri) instanceof RedisAddress.Cluster;
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "RedisSettings[" + RedisAddress.parse(uri) + ", keys under " + keyPrefix + "]";
  }
}

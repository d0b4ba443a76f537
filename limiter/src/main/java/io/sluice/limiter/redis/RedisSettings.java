package io.sluice.limiter.redis;

import java.time.Duration;

/**
 * Settings of the access to Redis.
 *
 * @param uri one server is {@code redis://[user:password@]host[:port][/db]}; a comma list of such
 *     URIs is the nodes of a Cluster; {@code
 *     redis-sentinel://[user:password@]host[:port],...[/db]?master=NAME} is the master that
 *     Sentinels name, whose own login is in the parameters {@code sentinel-user} and {@code
 *     sentinel-password}. {@code rediss://} and {@code rediss-sentinel://} use TLS and the JVM's
 *     trusted certificates
 * @param keyPrefix first part of every key; without braces, because they decide the key's slot in a
 *     Cluster
 * @param timeout longest wait to connect, for a free connection, and for an answer; at least 1 ms
 * @param patience additional wait for an answer, and for a free connection, if the server is busy
 *     but healthy: it answers a PING on a new connection, within the longer of the timeout and a
 *     second. All requests of one call share the patience; with 0, a call waits for the timeout
 *     only
 * @param connections largest number of open connections, to the server or to each node of a Cluster
 * @param grace time for which a key is kept after it is needed. Redis expires keys by the wall
 *     clock; if arrivals are judged by another clock, that clock may fall behind by the grace
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
          "a key prefix must not be empty, and must not contain braces: " + keyPrefix);
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

  /** Returns this duration, but at most the longest valid grace, 3,660 days. */
  public static Duration atMostLongest(Duration wanted) {
    return wanted.compareTo(LONGEST_GRACE) < 0 ? wanted : LONGEST_GRACE;
  }

  /**
   * Returns settings with the key prefix {@code sluice}, a timeout of 100 ms, no patience, 8
   * connections, and a grace of 10 minutes.
   */
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

  /** Returns the address and the key prefix, without the password. */
  @Override
  public String toString() {
    return "RedisSettings[" + RedisAddress.parse(uri) + ", keys under " + keyPrefix + "]";
  }
}

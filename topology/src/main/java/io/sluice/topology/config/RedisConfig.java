package io.sluice.topology.config;

import io.sluice.limiter.redis.RedisSettings;
import java.time.Duration;

/**
 * The settings for Redis: its address, and the form of its keys.
 *
 * @param uri as the configuration gives it, which may hold a password; empty if it does not
 * @param timeout for connecting and for an answer
 * @param grace how much longer than needed a key stays when events are judged by their own time
 */
public record RedisConfig(String uri, String keyPrefix, Duration timeout, Duration grace) {
  /** Records that are asked about ahead of processing, at most. */
  public static final int MOST_ASKED_AHEAD = 4_000;

  /** Whether the keys are spread over the nodes of a Redis Cluster. */
  public boolean isCluster() {
    return !uri.isEmpty() && RedisSettings.of(uri).isCluster();
  }

  @Override
  public String toString() {
    return Passwords.hiddenIn(uri);
  }
}

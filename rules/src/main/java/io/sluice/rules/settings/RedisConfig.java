package io.sluice.rules.settings;

import io.sluice.limiter.redis.RedisSettings;
import java.time.Duration;

/**
 * Settings for Redis: its address, and the form of its keys.
 *
 * @param uri as configured, may contain a password; empty if not given
 * @param timeout for connecting and for each response
 * @param grace additional lifetime of keys, because an event is judged by its own time, which may
 *     be earlier than now
 */
public record RedisConfig(String uri, String keyPrefix, Duration timeout, Duration grace) {
  /**
   * Maximum number of records whose verdicts are requested from Redis before they are processed.
   */
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

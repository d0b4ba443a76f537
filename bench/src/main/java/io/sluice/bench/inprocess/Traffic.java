package io.sluice.bench.inprocess;

import io.sluice.limiter.Quota;
import java.time.Duration;

/** Traffic whose quota lets every event conform, or refuses every event. */
public enum Traffic {
  CONFORMING,
  REFUSED;

  /**
   * Returns the quota for algorithms with a burst. For conforming traffic, the burst is so large
   * that it is never used up, and the rate is so low that keys stay in memory.
   */
  Quota bucket() {
    return this == CONFORMING
        ? new Quota(1_000, Duration.ofSeconds(1).toNanos() / 1_000, 2_000_000)
        : Quota.parse("1/1h");
  }

  /**
   * Returns the quota for algorithms with windows. For conforming traffic, the period is so short
   * that a log stays small.
   */
  Quota window() {
    return this == CONFORMING ? Quota.parse("10000/10ms") : bucket();
  }
}

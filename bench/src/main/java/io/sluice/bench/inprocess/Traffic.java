package io.sluice.bench.inprocess;

import io.sluice.limiter.Quota;
import java.time.Duration;

/**
 * Traffic of which every event conforms, or every event is refused, by the quota that it is given.
 */
public enum Traffic {
  CONFORMING {
    @Override
    Quota bucket() {
      return new Quota(1_000, Duration.ofSeconds(1).toNanos() / 1_000, 2_000_000);
    }

    @Override
    Quota window() {
      return Quota.parse("10000/10ms");
    }
  },

  REFUSED {
    @Override
    Quota bucket() {
      return Quota.parse("1/1h");
    }

    @Override
    Quota window() {
      return bucket();
    }
  };

  /**
   * For who has a burst: so large that it is never used up, and drains so slowly that keys stay.
   */
  abstract Quota bucket();

  /** For who counts in windows: so short that a log stays small. */
  abstract Quota window();
}

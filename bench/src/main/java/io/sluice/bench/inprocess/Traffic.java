package io.sluice.bench.inprocess;

import io.sluice.limiter.Quota;
import java.time.Duration;

/** Traffic of which every event conforms, or every event is refused, due to its quota. */
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
   * Quota for algorithms with a burst: so large that it is never used up, and refilled so slowly
   * that keys stay in memory.
   */
  abstract Quota bucket();

  /** Quota for algorithms with windows: so short that a log stays small. */
  abstract Quota window();
}

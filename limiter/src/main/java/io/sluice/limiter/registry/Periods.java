package io.sluice.limiter.registry;

import io.sluice.limiter.Quota;
import java.time.Duration;

/** Reader of periods in settings. */
final class Periods {
  private Periods() {}

  /** Reads a period, and checks that it lies within both bounds, inclusive. */
  static Duration between(String text, String least, String most) {
    Duration period = Quota.parsePeriod(text);
    boolean within =
        period.compareTo(Quota.parsePeriod(least)) >= 0
            && period.compareTo(Quota.parsePeriod(most)) <= 0;
    if (!within) throw new IllegalArgumentException(text);
    return period;
  }
}

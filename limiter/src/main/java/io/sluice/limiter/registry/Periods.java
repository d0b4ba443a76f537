package io.sluice.limiter.registry;

import io.sluice.limiter.Quota;
import java.time.Duration;

/** Periods, as settings have them. */
final class Periods {
  private Periods() {}

  /** Reads a period within both bounds. */
  static Duration between(String text, String least, String most) {
    Duration period = Quota.parsePeriod(text);
    boolean within =
        period.compareTo(Quota.parsePeriod(least)) >= 0
            && period.compareTo(Quota.parsePeriod(most)) <= 0;
    if (!within) throw new IllegalArgumentException(text);
    return period;
  }
}

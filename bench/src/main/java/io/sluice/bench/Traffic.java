package io.sluice.bench;

import io.sluice.limiter.Quota;

/** What becomes of what is metered, all of it. */
public enum Traffic {
  /** More than any key can use, of a period so short that a log stays small. */
  CONFORMING("10000/10ms"),
  REFUSED("1/1h");

  private final String quota;

  Traffic(String quota) {
    this.quota = quota;
  }

  Quota quota() {
    return Quota.parse(quota);
  }
}

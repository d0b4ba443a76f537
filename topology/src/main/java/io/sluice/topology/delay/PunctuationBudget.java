package io.sluice.topology.delay;

import java.util.function.LongSupplier;

/**
 * The most that one tick may release, in events and in time, so that overdue events do not block
 * the input.
 */
final class PunctuationBudget {
  static final int MOST_EVENTS = 10_000;

  private static final int EVENTS_PER_LOOK_AT_THE_CLOCK = 32;

  private final LongSupplier wallMs;
  private final long endMs;
  private int events;

  PunctuationBudget(LongSupplier wallMs, long mostMs) {
    this.wallMs = wallMs;
    endMs = wallMs.getAsLong() + mostMs;
  }

  /** Takes one event; true if there is none left. */
  boolean isSpent() {
    if (events == MOST_EVENTS) return true;
    boolean look = events > 0 && events % EVENTS_PER_LOOK_AT_THE_CLOCK == 0;
    if (look && wallMs.getAsLong() >= endMs) return true;
    events++;
    return false;
  }
}

package io.sluice.topology.delay;

import java.util.function.LongSupplier;

/**
 * The most that one tick may release, in events and in time, so that overdue events do not block
 * the input.
 */
final class PunctuationBudget {
  static final int MOST_EVENTS = 10_000;

  private final LongSupplier wallMs;
  private final long endMs;
  private int events;
  private boolean over;

  /** A bound on the events alone. */
  PunctuationBudget() {
    this(() -> 0, 1);
  }

  PunctuationBudget(LongSupplier wallMs, long mostMs) {
    this.wallMs = wallMs;
    endMs = wallMs.getAsLong() + mostMs;
  }

  /** Takes one event; true if there is none left. */
  boolean isSpent() {
    over = events == MOST_EVENTS || (events > 0 && wallMs.getAsLong() >= endMs);
    if (!over) events++;
    return over;
  }

  /** Whether there was none left when one was to be taken. */
  boolean isOver() {
    return over;
  }
}

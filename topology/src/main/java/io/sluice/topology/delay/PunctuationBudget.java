package io.sluice.topology.delay;

import java.util.function.LongSupplier;

/**
 * Limit on the events and the time of one punctuation, so that overdue events do not block the
 * input.
 */
final class PunctuationBudget {
  static final int MOST_EVENTS = 10_000;

  private final LongSupplier wallMs;
  private final long endMs;
  private int events;
  private boolean over;

  /** Limits the number of events only. */
  PunctuationBudget() {
    this(() -> 0, 1);
  }

  PunctuationBudget(LongSupplier wallMs, long mostMs) {
    this.wallMs = wallMs;
    endMs = wallMs.getAsLong() + mostMs;
  }

  /** Takes one event from the budget; returns true if none is left. */
  boolean isSpent() {
    over = events == MOST_EVENTS || (events > 0 && wallMs.getAsLong() >= endMs);
    if (!over) events++;
    return over;
  }

  /** Returns whether the budget was used up at the last call of {@link #isSpent}. */
  boolean isOver() {
    return over;
  }
}

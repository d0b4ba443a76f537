package io.sluice.topology.delay;

import java.util.function.LongSupplier;

/**
 * Limit on the number of events and on the time of one punctuation, so that the release of many
 * overdue events does not block the processing of input.
 */
public final class PunctuationBudget {
  static final int MOST_EVENTS = 10_000;

  private final LongSupplier wallMs;
  private final long endMs;
  private int events;
  private boolean over;

  /** Creates a budget that limits only the number of events, not the time. */
  PunctuationBudget() {
    this(() -> 0, 1);
  }

  /**
   * Creates a budget that limits the number of events and the time.
   *
   * @param wallMs clock, milliseconds
   */
  public PunctuationBudget(LongSupplier wallMs, long mostMs) {
    this.wallMs = wallMs;
    endMs = wallMs.getAsLong() + mostMs;
  }

  /**
   * Takes one event from the budget. The first event is always within the budget.
   *
   * @return true if the event exceeds the budget
   */
  public boolean isSpent() {
    over = events == MOST_EVENTS || (events > 0 && wallMs.getAsLong() >= endMs);
    if (!over) events++;
    return over;
  }

  /** Returns the result of the last call of {@link #isSpent}; false before the first call. */
  boolean isOver() {
    return over;
  }
}

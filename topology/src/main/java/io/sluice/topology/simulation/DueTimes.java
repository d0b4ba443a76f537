package io.sluice.topology.simulation;

import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Set;

/** Due times of the delayed events of a simulation, read from its verdicts. */
final class DueTimes {
  private static final int MOST_LOOKS_IN_VAIN = 1_000_000;

  private final Set<Long> held = new HashSet<>();
  private final PriorityQueue<Long> aheadMs = new PriorityQueue<>();
  private int looksInVain;

  /** Returns the number of delayed events. */
  int held() {
    return held.size();
  }

  /** Takes in a verdict: its event becomes a delayed one, or is no longer one. */
  void note(SimulatedVerdict verdict) {
    if (held.remove(verdict.number())) looksInVain = 0;
    if (!verdict.isDelayed()) return;
    held.add(verdict.number());
    aheadMs.add(verdict.dueMs());
  }

  /** Takes in the time of the clock; events that are due by then leave, or are overdue. */
  void passed(long nowMs) {
    if (isOverdue() && ++looksInVain > MOST_LOOKS_IN_VAIN) {
      throw new IllegalStateException(held() + " events are delayed and never released");
    }
    while (!aheadMs.isEmpty() && aheadMs.peek() <= nowMs) aheadMs.poll();
  }

  /**
   * Returns the next instant at which to look for released events; only while an event is delayed.
   */
  long nextMs(long nowMs) {
    return isOverdue() ? nowMs + 1 : Math.max(nowMs + 1, aheadMs.peek());
  }

  private boolean isOverdue() {
    return aheadMs.size() < held.size();
  }
}

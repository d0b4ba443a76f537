package io.sluice.topology.simulation;

import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Set;

/** The delayed events of a simulation and their due times, read from its verdicts. */
final class DueTimes {
  private static final int MOST_LOOKS_IN_VAIN = 1_000_000;

  private final Set<Long> held = new HashSet<>();
  private final PriorityQueue<Long> aheadMs = new PriorityQueue<>();
  private int looksInVain;

  /** How many events are delayed. */
  int held() {
    return held.size();
  }

  /** Takes in what a verdict says of the events that are delayed. */
  void note(SimulatedVerdict verdict) {
    if (held.remove(verdict.number())) looksInVain = 0;
    if (!verdict.isDelayed()) return;
    held.add(verdict.number());
    aheadMs.add(verdict.dueMs());
  }

  /** The clock is there now: what is due by then goes, or is overdue. */
  void passed(long nowMs) {
    if (isOverdue() && ++looksInVain > MOST_LOOKS_IN_VAIN) {
      throw new IllegalStateException(held() + " events are delayed and never released");
    }
    while (!aheadMs.isEmpty() && aheadMs.peek() <= nowMs) aheadMs.poll();
  }

  /** The next instant to look at, while any event is held. */
  long nextMs(long nowMs) {
    return isOverdue() ? nowMs + 1 : Math.max(nowMs + 1, aheadMs.peek());
  }

  private boolean isOverdue() {
    return aheadMs.size() < held.size();
  }
}

package io.sluice.topology.simulation;

import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Set;

/** Due times of the delayed events in a simulation, read from its verdicts. */
final class DueTimes {
  private static final int MOST_LOOKS_IN_VAIN = 1_000_000;

  private final Set<Long> held = new HashSet<>();
  private final PriorityQueue<Long> aheadMs = new PriorityQueue<>();
  private int looksInVain;

  /** Returns the number of events that are delayed now. */
  int held() {
    return held.size();
  }

  /** Notes a verdict: it makes its event a delayed event, or ends the delay of its event. */
  void note(SimulatedVerdict verdict) {
    if (held.remove(verdict.number())) looksInVain = 0;
    if (!verdict.isDelayed()) return;
    held.add(verdict.number());
    aheadMs.add(verdict.dueMs());
  }

  /**
   * Notes the time of the virtual clock. Delayed events whose due time has passed are overdue until
   * their next verdict.
   *
   * @throws IllegalStateException if events stay overdue for a very long time
   */
  void passed(long nowMs) {
    if (isOverdue() && ++looksInVain > MOST_LOOKS_IN_VAIN) {
      throw new IllegalStateException(held() + " events are delayed and never released");
    }
    while (!aheadMs.isEmpty() && aheadMs.peek() <= nowMs) aheadMs.poll();
  }

  /**
   * Returns the next instant, epoch milliseconds, at which the simulation must look for released
   * events. May be called only while an event is delayed.
   */
  long nextMs(long nowMs) {
    return isOverdue() ? nowMs + 1 : Math.max(nowMs + 1, aheadMs.peek());
  }

  private boolean isOverdue() {
    return aheadMs.size() < held.size();
  }
}

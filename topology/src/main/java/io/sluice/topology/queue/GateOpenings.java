package io.sluice.topology.queue;

import io.sluice.topology.queue.Gate.Opening;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Instants at which closed gates are to be looked at, because they open or the class of a line
 * there rises. Not thread-safe.
 */
final class GateOpenings {
  private static final int LEAST_SWEPT = 1_000;

  private final PriorityQueue<Opening> instants = new PriorityQueue<>();

  /** Size from which on the instants of gates that were opened or closed since are dropped. */
  private int sweepAt = LEAST_SWEPT;

  /** Adds the next instant of a closed gate, in place of the former one. */
  void add(Gate gate) {
    instants.add(gate.next());
    if (instants.size() < sweepAt) return;
    instants.removeIf(each -> !each.isCurrent());
    sweepAt = LEAST_SWEPT + 2 * instants.size();
  }

  /** Removes a gate whose instant has come; empty if there is none. */
  Optional<Gate> poll(long nowMicros) {
    while (!instants.isEmpty() && instants.peek().atMicros <= nowMicros) {
      Opening next = instants.poll();
      if (next.isCurrent()) return Optional.of(next.gate);
    }
    return Optional.empty();
  }

  /** Returns the next instant, epoch milliseconds; {@link Long#MAX_VALUE} if there is none. */
  long nextMs() {
    return instants.isEmpty() ? Long.MAX_VALUE : (instants.peek().atMicros + 999) / 1_000;
  }

  int size() {
    return instants.size();
  }
}

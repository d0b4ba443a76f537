package io.sluice.bench.throughput;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.sluice.bench.run.ThreadCost;

/**
 * Figures of one run of a variant.
 *
 * @param events number of processed events
 * @param allowed number of allowed events
 * @param millis time from the first poll that returned records until the broker had the last output
 * @param cost resources that the application's threads used
 * @param brokerNanos CPU time of the broker's process
 * @param redisNanos CPU time of the main thread of Redis, or of the main threads of all nodes of a
 *     Cluster
 * @param writtenBytes size of the application's topics on the broker: outputs and changelogs
 */
record Sample(
    long events,
    long allowed,
    long millis,
    @JsonUnwrapped ThreadCost cost,
    long brokerNanos,
    long redisNanos,
    long writtenBytes) {
  double perSecond() {
    return events * 1_000.0 / Math.max(1, millis);
  }

  double cpuMicrosPerEvent() {
    return cost.cpuNanos() / 1_000.0 / Math.max(1, events);
  }

  double senderMicrosPerEvent() {
    return cost.senderNanos() / 1_000.0 / Math.max(1, events);
  }

  double brokerMicrosPerEvent() {
    return brokerNanos / 1_000.0 / Math.max(1, events);
  }

  /**
   * Returns the CPU time of an event in all processes, in microseconds: of the stream thread, the
   * sender, the broker and Redis. It leaves out the collector of garbage and the compiler.
   */
  double allMicrosPerEvent() {
    return cpuMicrosPerEvent()
        + senderMicrosPerEvent()
        + brokerMicrosPerEvent()
        + redisMicrosPerEvent();
  }

  double garbagePerEvent() {
    return (double) cost.garbageBytes() / Math.max(1, events);
  }

  double redisMicrosPerEvent() {
    return redisNanos / 1_000.0 / Math.max(1, events);
  }

  double writtenPerEvent() {
    return (double) writtenBytes / Math.max(1, events);
  }
}

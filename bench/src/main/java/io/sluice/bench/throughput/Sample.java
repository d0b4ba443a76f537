package io.sluice.bench.throughput;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.sluice.bench.run.ThreadCost;

/**
 * Figures of one run of a variant.
 *
 * @param events number of processed events
 * @param allowed number of allowed events
 * @param millis time from the first poll that returned records until the broker had the last output
 * @param cost resources that the stream threads used
 * @param redisNanos CPU time of the main thread of Redis, or of the main threads of all nodes of a
 *     Cluster
 */
record Sample(
    long events, long allowed, long millis, @JsonUnwrapped ThreadCost cost, long redisNanos) {
  double perSecond() {
    return events * 1_000.0 / Math.max(1, millis);
  }

  double cpuMicrosPerEvent() {
    return cost.cpuNanos() / 1_000.0 / Math.max(1, events);
  }

  double garbagePerEvent() {
    return (double) cost.garbageBytes() / Math.max(1, events);
  }

  double redisMicrosPerEvent() {
    return redisNanos / 1_000.0 / Math.max(1, events);
  }
}

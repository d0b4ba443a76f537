package io.sluice.bench.throughput;

import io.sluice.bench.run.ThreadCost;

/**
 * The figures of one run of a variant.
 *
 * @param events how many it took, and put out
 * @param allowed how many of these it allowed
 * @param millis from its first poll that brought any until the broker had the last
 * @param cost what its stream threads did meanwhile
 * @param redisNanos how long Redis' only thread was on a core, or those of all nodes of a Cluster
 */
record Sample(long events, long allowed, long millis, ThreadCost cost, long redisNanos) {
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

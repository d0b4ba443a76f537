package io.sluice.bench;

/**
 * The figures of one run of a variant.
 *
 * @param events how many it took, and put out
 * @param allowed how many of these it allowed
 * @param millis from its first poll that brought any until the broker had the last
 * @param cpuNanos what its stream threads computed meanwhile
 */
record Sample(long events, long allowed, long millis, long cpuNanos) {
  double perSecond() {
    return events * 1_000.0 / Math.max(1, millis);
  }

  double cpuMicrosPerEvent() {
    return cpuNanos / 1_000.0 / Math.max(1, events);
  }
}

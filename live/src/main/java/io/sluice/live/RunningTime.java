package io.sluice.live;

/**
 * Stopwatch for tries that are repeated. A standstill of the process, such as by a signal or a long
 * garbage collection, counts as one second at most, since nothing was tried during it. Not
 * thread-safe.
 */
final class RunningTime {
  private static final long MOST_STEP_NANOS = 1_000_000_000L;

  private long lastNanos;
  private long passedNanos;

  RunningTime(long nowNanos) {
    lastNanos = nowNanos;
  }

  /**
   * Time that has passed since the start, in nanoseconds; must be called several times a second.
   */
  long passed(long nowNanos) {
    passedNanos += Math.min(nowNanos - lastNanos, MOST_STEP_NANOS);
    lastNanos = nowNanos;
    return passedNanos;
  }
}

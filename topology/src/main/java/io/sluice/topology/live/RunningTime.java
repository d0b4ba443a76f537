package io.sluice.topology.live;

/**
 * The time that passes while this process runs. Whoever was stopped, by a signal or a long garbage
 * collection, has not tried anything meanwhile, so of a standstill a second counts. For one thread.
 */
final class RunningTime {
  private static final long MOST_STEP_NANOS = 1_000_000_000L;

  private long lastNanos;
  private long passedNanos;

  RunningTime(long nowNanos) {
    lastNanos = nowNanos;
  }

  /** How much has passed since it began; to be asked several times in a second. */
  long passed(long nowNanos) {
    passedNanos += Math.min(nowNanos - lastNanos, MOST_STEP_NANOS);
    lastNanos = nowNanos;
    return passedNanos;
  }
}

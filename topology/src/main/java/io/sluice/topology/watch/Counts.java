package io.sluice.topology.watch;

import java.util.Arrays;

/**
 * Event counts of the last quarter of an hour, in steps of ten seconds. One thread counts; others
 * may read.
 */
final class Counts {
  static final long STEP_MS = 10_000;

  /** Number of steps: a quarter of an hour, and the current step. */
  static final int STEPS = 91;

  private static final long NEVER = Long.MIN_VALUE;

  private final SequenceLock changes = new SequenceLock();
  private final long[] steps = new long[STEPS]; // number of the step that each place counts
  private final long[] counts = new long[STEPS];
  private long last = NEVER;

  void count(long nowMs) {
    long step = step(nowMs);
    int place = place(step);
    changes.begin();
    if (steps[place] != step) {
      steps[place] = step;
      counts[place] = 0;
    }
    counts[place]++;
    last = step;
    changes.end();
  }

  /** Whether its counts are too old to be shown. Only for the thread that counts. */
  boolean isIdle(long nowMs) {
    return last == NEVER || step(nowMs) - last > STEPS;
  }

  static long step(long nowMs) {
    return Math.floorDiv(nowMs, STEP_MS);
  }

  private static int place(long step) {
    return Math.floorMod(step, STEPS);
  }

  /** Adds the counts of the last steps to the sums, from the oldest to the current one. */
  void addTo(long[] sums, long nowMs) {
    long[] copy = changes.whole(() -> joined(steps, counts));
    long first = step(nowMs) - STEPS + 1;
    for (int i = 0; i < STEPS; i++) {
      int place = place(first + i);
      if (copy[place] == first + i) sums[i] += copy[STEPS + place];
    }
  }

  private static long[] joined(long[] steps, long[] counts) {
    long[] both = Arrays.copyOf(steps, 2 * STEPS);
    System.arraycopy(counts, 0, both, STEPS, STEPS);
    return both;
  }
}

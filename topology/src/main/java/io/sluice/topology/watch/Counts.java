package io.sluice.topology.watch;

import java.util.Arrays;

/**
 * Ring of event counts: one count for each ten seconds of the last quarter of an hour. One thread
 * counts; other threads may read.
 */
final class Counts {
  static final long STEP_MS = 10_000;

  /** Number of ten-second steps that are kept: a quarter of an hour, and the current step. */
  static final int STEPS = 91;

  private static final long NEVER = Long.MIN_VALUE;

  private final SequenceLock changes = new SequenceLock();

  /** For each index of the ring of counts, the number of the ten-second step that it counts. */
  private final long[] steps = new long[STEPS];

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

  /**
   * Whether no event was counted in the last quarter of an hour. Only the thread that counts may
   * call it.
   */
  boolean isIdle(long nowMs) {
    return last == NEVER || step(nowMs) - last > STEPS;
  }

  static long step(long nowMs) {
    return Math.floorDiv(nowMs, STEP_MS);
  }

  private static int place(long step) {
    return Math.floorMod(step, STEPS);
  }

  /**
   * Adds the event count of each ten-second step to the sum at the same index, from the oldest step
   * to the current one.
   */
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

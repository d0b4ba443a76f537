package io.sluice.topology.watch;

import java.util.Arrays;

/**
 * The numbers of events in the last quarter of an hour, in steps of ten seconds. For one thread
 * that counts, and others that read.
 */
final class Counts {
  static final long STEP_MS = 10_000;

  /** A quarter of an hour, and the step that goes on. */
  static final int STEPS = 91;

  private static final long NEVER = Long.MIN_VALUE;

  private final Changes changes = new Changes();
  private final long[] steps = new long[STEPS]; // the step that is counted at each place
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

  /** Whether nothing that it counted is shown any more. For the thread that counts. */
  boolean isIdle(long nowMs) {
    return last == NEVER || step(nowMs) - last > STEPS;
  }

  static long step(long nowMs) {
    return Math.floorDiv(nowMs, STEP_MS);
  }

  private static int place(long step) {
    return Math.floorMod(step, STEPS);
  }

  /** Adds what it has of the steps up to now, of which the first is the oldest. */
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

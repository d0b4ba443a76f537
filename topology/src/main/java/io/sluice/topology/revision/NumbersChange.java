package io.sluice.topology.revision;

import io.sluice.limiter.Quota;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The numbers by which buckets are judged from an instant on.
 *
 * @param fromMs {@link Long#MIN_VALUE} for those that hold before any change
 * @param delayMaxMicros the longest wait of an event that is delayed; 0 as long as none is
 * @param blockMicros how long who goes over the limit is blocked from then on; 0 if nobody is
 * @param anew whether buckets whose clock is earlier begin anew
 */
record NumbersChange(
    long fromMs, Quota quota, long delayMaxMicros, long blockMicros, boolean anew) {
  /** Longer than anything that is remembered; twice of it fits. */
  private static final double MOST_MICROS = 1L << 60;

  /** The same numbers, with instants at which buckets begin anew among them. */
  static List<NumbersChange> withResets(List<NumbersChange> numbers, long[] resetsMs) {
    List<NumbersChange> all = new ArrayList<>();
    for (int i = 0; i < numbers.size(); i++) {
      NumbersChange each = numbers.get(i);
      all.add(Arrays.binarySearch(resetsMs, each.fromMs) < 0 ? each : each.anewAt(each.fromMs));
      long next = i + 1 < numbers.size() ? numbers.get(i + 1).fromMs : Long.MAX_VALUE;
      for (long reset : resetsMs) {
        if (each.fromMs < reset && reset < next) all.add(each.anewAt(reset));
      }
    }
    return List.copyOf(all);
  }

  private NumbersChange anewAt(long ms) {
    return new NumbersChange(ms, quota, delayMaxMicros, blockMicros, true);
  }

  /** Whether a bucket is judged by the same before and after. */
  boolean isAs(NumbersChange before) {
    return quota.equals(before.quota)
        && delayMaxMicros == before.delayMaxMicros
        && blockMicros == before.blockMicros;
  }

  /**
   * For how long a bucket remembers what was used at any time, at most. What was used under one
   * rate, or reserved for later, may have to drain at another one, which is far slower.
   */
  static long longestUseMicros(List<NumbersChange> numbers) {
    double mostPermits = 0;
    double slowestMicros = 0;
    double longestMicros = 0;
    for (NumbersChange each : numbers) {
      Quota quota = each.quota;
      double interval = (double) quota.periodMicros() / quota.permits();
      mostPermits = Math.max(mostPermits, quota.burst() + each.delayMaxMicros / interval);
      slowestMicros = Math.max(slowestMicros, interval);
      long kept = Math.max(quota.periodMicros() + each.delayMaxMicros, each.blockMicros);
      longestMicros = Math.max(longestMicros, (double) kept);
    }
    double drains = (mostPermits + 1) * slowestMicros;
    return (long) Math.min(Math.max(longestMicros, drains), MOST_MICROS);
  }
}

package io.sluice.rules.revision;

import io.sluice.limiter.Quota;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Quota, longest wait and block by which buckets are judged from an instant on.
 *
 * @param fromMs the instant in epoch milliseconds; {@link Long#MIN_VALUE} for the numbers before
 *     any change
 * @param delayMaxMicros the longest wait of a delayed event; 0 as long as the limit has never
 *     delayed events
 * @param blockMicros how long a key that exceeds the limit is blocked from then on; 0 if it is not
 * @param anew whether buckets whose clock is earlier begin anew
 */
record NumbersChange(
    long fromMs, Quota quota, long delayMaxMicros, long blockMicros, boolean anew) {
  /**
   * Upper bound of the computed memory of a bucket, in microseconds; a long holds twice as much.
   */
  private static final double MOST_MICROS = 1L << 60;

  /**
   * Returns the same changes, and additional changes at the reset instants, from which buckets
   * begin anew.
   */
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

  /** Returns whether quota, longest wait and block are the same as before this change. */
  boolean isAs(NumbersChange before) {
    return quota.equals(before.quota)
        && delayMaxMicros == before.delayMaxMicros
        && blockMicros == before.blockMicros;
  }

  /**
   * Returns the longest time for which a bucket may remember a used permit under these changes, in
   * microseconds. A permit that was used or reserved under one quota may have to drain at the far
   * slower rate of another quota.
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

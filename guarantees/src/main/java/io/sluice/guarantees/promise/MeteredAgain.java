package io.sluice.guarantees.promise;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Released events of one bucket that may have been metered, and charged in Redis, before a fault
 * undid it, and are metered again long after the fault.
 */
final class MeteredAgain {
  private final List<OfFault> faults = new ArrayList<>();

  /** Events of one fault, in the order of their releases, with the sum of their permits so far. */
  private record OfFault(long fromMs, long untilMs, long[] leftMs, long[] permits) {
    private boolean touches(long spanFromMs, long spanToMs) {
      return fromMs <= spanToMs && spanFromMs <= untilMs;
    }

    private long within(long spanFromMs, long spanToMs) {
      return permits[notAfter(spanToMs)] - permits[notAfter(spanFromMs - 1)];
    }

    private int notAfter(long ms) {
      int at = Arrays.binarySearch(leftMs, ms);
      if (at < 0) return -at - 1;
      while (at < leftMs.length && leftMs[at] == ms) at++;
      return at;
    }
  }

  /** Event that a fault may have had metered for the second time. */
  record Again(long leftMs, long permits) {}

  /**
   * Adds a fault.
   *
   * @param untilMs instant up to which the fault is allowed for without regard to the events
   */
  void add(long fromMs, long untilMs, List<Again> events) {
    List<Again> inOrder = events.stream().sorted(Comparator.comparing(Again::leftMs)).toList();
    long[] permits = new long[inOrder.size() + 1];
    for (int i = 0; i < inOrder.size(); i++) permits[i + 1] = permits[i] + inOrder.get(i).permits();
    long[] leftMs = inOrder.stream().mapToLong(Again::leftMs).toArray();
    faults.add(new OfFault(fromMs, untilMs, leftMs, permits));
  }

  /**
   * Returns the permits of events in a time span that may have been charged before: for each fault
   * that is over, at most the given number.
   */
  long permits(long fromMs, long toMs, long most) {
    return faults.stream()
        .filter(each -> !each.touches(fromMs, toMs))
        .mapToLong(each -> Math.min(most, each.within(fromMs, toMs)))
        .sum();
  }
}

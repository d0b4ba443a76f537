package io.sluice.guarantees.promise;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Released events of one bucket that may have been metered, and charged in Redis, before a fault
 * undid it, and are metered again long after the fault.
 */
final class MeteredAgain {
  private final List<OfFault> faults = new ArrayList<>();

  /**
   * Events of one fault.
   *
   * @param permitsUpTo permits of all events that left up to each instant of a release
   */
  private record OfFault(long fromMs, long untilMs, NavigableMap<Long, Long> permitsUpTo) {
    private boolean touches(long spanFromMs, long spanToMs) {
      return fromMs <= spanToMs && spanFromMs <= untilMs;
    }

    private long within(long spanFromMs, long spanToMs) {
      return upTo(spanToMs) - upTo(spanFromMs - 1);
    }

    private long upTo(long ms) {
      Map.Entry<Long, Long> last = permitsUpTo.floorEntry(ms);
      return last == null ? 0 : last.getValue();
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
    NavigableMap<Long, Long> permitsUpTo = new TreeMap<>();
    for (Again each : events) permitsUpTo.merge(each.leftMs(), each.permits(), Long::sum);
    long sum = 0;
    for (Map.Entry<Long, Long> each : permitsUpTo.entrySet()) {
      sum += each.getValue();
      each.setValue(sum);
    }
    faults.add(new OfFault(fromMs, untilMs, permitsUpTo));
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

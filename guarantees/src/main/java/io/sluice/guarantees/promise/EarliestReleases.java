package io.sluice.guarantees.promise;

import io.sluice.guarantees.scenario.Limit;
import io.sluice.guarantees.scenario.QueueLimit;
import io.sluice.guarantees.scenario.QueueLimits;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Instants before which a bucket surely refused its events, from the releases before them: each may
 * have used a slot that is a tick older, and the quota is the largest.
 */
final class EarliestReleases {
  private final QueueLimit limit;
  private final List<TimeInLine> released;

  /**
   * @param events events of one bucket
   */
  EarliestReleases(QueueLimit limit, List<TimeInLine> events) {
    this.limit = limit;
    released =
        events.stream()
            .filter(TimeInLine::allowed)
            .sorted(Comparator.comparingLong(TimeInLine::leftMs))
            .toList();
  }

  /** Adds the instant for each event, in epoch milliseconds, unless there is a later one. */
  void into(Map<TimeInLine, Long> earliestMs) {
    if (limit.algorithm() == Limit.Algorithm.LOG) ofLog(earliestMs);
    else ofFunnel(earliestMs);
  }

  private void ofFunnel(Map<TimeInLine, Long> earliestMs) {
    long intervalMs = limit.periodMs() / limit.permits();
    long arrivalMs = 0; // the theoretical arrival time of GCRA
    for (TimeInLine each : released) {
      long costMs = each.event().cost() * intervalMs;
      long conformsMs = arrivalMs + costMs - limit.burst() * intervalMs;
      earliestMs.merge(each, conformsMs, Math::max);
      long slotMs = Math.max(conformsMs, each.leftMs() - QueueLimits.TICK_MS);
      arrivalMs = Math.max(arrivalMs, slotMs) + costMs;
    }
  }

  private void ofLog(Map<TimeInLine, Long> earliestMs) {
    for (int i = 0; i < released.size(); i++) {
      long free = limit.permits() - released.get(i).event().cost();
      int before = i;
      while (before > 0 && free >= 0) free -= released.get(--before).event().cost();
      if (free >= 0) continue;
      long usedMs = released.get(before).leftMs() - QueueLimits.TICK_MS;
      earliestMs.merge(released.get(i), usedMs + limit.periodMs(), Math::max);
    }
  }
}

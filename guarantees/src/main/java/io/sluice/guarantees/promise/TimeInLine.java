package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.QueueLimit;
import io.sluice.guarantees.scenario.QueueLimits;
import io.sluice.guarantees.scenario.Topics;
import java.util.List;

/**
 * Event with queue limits, and the time that it spent in line.
 *
 * @param cameMs instant at which the event was metered first, epoch milliseconds
 * @param leftMs instant at which the event was released or, if it was rejected, by which it had
 *     left, epoch milliseconds
 * @param waited whether the event had to wait
 * @param allowed whether the event was allowed in the end
 */
record TimeInLine(Kept input, long cameMs, long leftMs, boolean waited, boolean allowed) {
  Described event() {
    return input.event();
  }

  List<QueueLimit> limits() {
    return QueueLimits.of(event());
  }

  /** Returns the partition on which the event was metered and waited. */
  int home() {
    return Topics.home(event().user());
  }

  /** Returns the name of the line: the home partition, and all buckets of the event. */
  String line() {
    return home()
        + ": "
        + String.join(", ", limits().stream().map(each -> each.bucketOf(event())).toList());
  }

  boolean waitsAt(long ms) {
    return waited && cameMs <= ms && ms < leftMs;
  }
}

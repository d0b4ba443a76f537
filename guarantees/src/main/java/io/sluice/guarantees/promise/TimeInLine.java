package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.QueueLimit;
import io.sluice.guarantees.scenario.QueueLimits;
import io.sluice.guarantees.scenario.QueueRanks;
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

  /** Returns the name of the line: the home partition, all buckets, the class and the tenant. */
  String line() {
    return line(event());
  }

  /** Returns the name of the line in which an event waits if it must wait. */
  static String line(Described event) {
    return Topics.home(event.user())
        + ": "
        + String.join(
            ", ", QueueLimits.of(event).stream().map(each -> each.bucketOf(event)).toList())
        + ", "
        + QueueRanks.CLASSES.get(QueueRanks.rank(event))
        + " of "
        + event.tenant();
  }

  /** Whether the event had to wait for its own time, because it was ahead of the wall clock. */
  boolean isAhead() {
    return event().occurredAtMs() > cameMs;
  }

  /**
   * Returns the number of the class in which the event competed at an instant, if it had waited for
   * some milliseconds more.
   */
  int rankAt(long ms, long moreMs) {
    return QueueRanks.rank(event(), ms - cameMs + moreMs);
  }

  /** Whether the event left its line without a release: it was cancelled, or has expired. */
  boolean isRemoved() {
    return waited && !allowed;
  }

  boolean waitsAt(long ms) {
    return waited && cameMs <= ms && ms < leftMs;
  }
}

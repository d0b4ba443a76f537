package io.sluice.topology.intake;

import io.sluice.topology.config.SluiceConfig;

/**
 * Computes the instant at which an event comes to be metered.
 *
 * @param byEventTime whether events are judged by their own times; otherwise by the wall clock
 * @param latenessMs how long after the latest event of its partition an event may come and still be
 *     judged by its own time
 */
record EventClock(boolean byEventTime, long latenessMs) {
  static EventClock of(SluiceConfig config) {
    return new EventClock(config.judgesByEventTime(), config.timeLateness().toMillis());
  }

  /**
   * Returns the event's own time, or its due time if it is metered again, but at most {@code
   * latenessMs} before the partition's time. By the wall clock returns the current time, or the due
   * time if that is later.
   *
   * @param partitionMs the largest event time of its home partition so far, this one included
   */
  long comesAtMs(EventRecord event, long partitionMs, long wallMs) {
    if (!byEventTime) return Math.max(wallMs, event.dueMs());
    long ownMs = event.attempt() > 1 ? event.dueMs() : event.event().occurredAtMs();
    return Math.max(ownMs, partitionMs - latenessMs);
  }

  /** Returns the instant before which no event will come, epoch milliseconds. */
  long earliestMs(long partitionMs, long wallMs) {
    return byEventTime ? Math.max(0, partitionMs - latenessMs) : wallMs;
  }
}

package io.sluice.topology.intake;

import io.sluice.topology.config.SluiceConfig;

/**
 * Computes the time at which an event is metered.
 *
 * @param byEventTime whether events are metered at their own times; otherwise by the wall clock
 * @param latenessMs how far an event's time may be behind the latest event time of its partition,
 *     milliseconds; an event further behind is metered as if it was exactly this far behind
 */
record EventClock(boolean byEventTime, long latenessMs) {
  static EventClock of(SluiceConfig config) {
    return new EventClock(config.judgesByEventTime(), config.timeLateness().toMillis());
  }

  /**
   * Returns the time at which an event is metered, epoch milliseconds. By event time, this is the
   * event's own time, or its due time if it is metered again, but at most {@code latenessMs} before
   * the partition's latest event time. By the wall clock, it is the current time, or the due time
   * if that is later.
   *
   * @param partitionMs latest event time of the event's home partition, including this event
   */
  long comesAtMs(EventRecord event, long partitionMs, long wallMs) {
    if (!byEventTime) return Math.max(wallMs, event.dueMs());
    long ownMs = event.attempt() > 1 ? event.dueMs() : event.event().occurredAtMs();
    return Math.max(ownMs, partitionMs - latenessMs);
  }

  /** Returns the instant before which no later event is metered, epoch milliseconds. */
  long earliestMs(long partitionMs, long wallMs) {
    return byEventTime ? Math.max(0, partitionMs - latenessMs) : wallMs;
  }
}

package io.sluice.topology.delay;

import io.sluice.rules.event.Origin;
import io.sluice.topology.delay.DelayQueue.Lane;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Retries of one input partition, and the clock of the partition, if it is known. */
final class RetryInput {
  /**
   * Name in place of an input partition for events that other applications scheduled, since their
   * origin headers may contain any text.
   */
  static final String FROM_ELSEWHERE = "";

  /** Due time in place of one if no retry may be metered. */
  static final long NEVER = Long.MAX_VALUE;

  final Lane lane;
  final DelayQueue waiting;

  /**
   * Wall-clock time, epoch milliseconds, of the input partition's last event, if that event came
   * through the repartition topic; 0 if it came directly.
   */
  long hoppedMs;

  /** Latest due time, epoch milliseconds, of the retries that the current punctuation may meter. */
  long openMs;

  private final String name;
  private final CommittedClocks.Clock committed;
  private long clockMs;

  /** Whether the clock is that of a previous owner, and no event has come since. */
  private boolean isRestored;

  RetryInput(String name, DelayQueue waiting, CommittedClocks.Clock committed, long hoppedMs) {
    this.name = name;
    lane = Lane.ofRetries(name);
    this.waiting = waiting;
    this.committed = committed;
    this.hoppedMs = hoppedMs;
    clockMs = committed.ms();
    isRestored = clockMs != ConsumerRecord.NO_TIMESTAMP;
  }

  /**
   * Returns the latest event time of the partition, epoch milliseconds; {@link
   * ConsumerRecord#NO_TIMESTAMP} if it is not known.
   */
  long clockMs() {
    return clockMs;
  }

  /**
   * Advances the clock to an event. If the partition is read again from an earlier offset than that
   * of the committed clock, the clock begins with the event.
   */
  void moveTo(long atMs, Origin origin) {
    if (isRestored) {
      isRestored = false;
      boolean isReadAgain =
          !isElsewhere() && origin.hasOffset() && origin.offset() < committed.offset();
      if (isReadAgain) clockMs = ConsumerRecord.NO_TIMESTAMP;
    }
    if (atMs <= clockMs) return;
    clockMs = atMs;
    committed.set(atMs, origin.hasOffset() ? origin.offset() : committed.offset());
  }

  /** Returns the due time of the first retry that may be metered; {@link #NEVER} if none may. */
  long firstDueMs() {
    long dueMs = waiting.firstDueMs();
    return dueMs <= openMs ? dueMs : NEVER;
  }

  boolean isElsewhere() {
    return name.equals(FROM_ELSEWHERE);
  }

  /**
   * Returns whether the input partition can be dropped: it has no retries and no known clock.
   * Otherwise the number of input partitions could grow, since events from other applications may
   * name any origin.
   */
  boolean isOfNoUse() {
    return waiting.waiting() == 0 && clockMs == ConsumerRecord.NO_TIMESTAMP;
  }
}

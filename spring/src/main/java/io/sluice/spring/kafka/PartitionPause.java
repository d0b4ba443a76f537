package io.sluice.spring.kafka;

import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Pause of a partition until it is the turn of a waiting record. Created by the thread of the
 * consumer that has the partition.
 */
final class PartitionPause {
  /**
   * Minimum wait: if the clocks of two hosts differ, the computed wait may be too short several
   * times in a row.
   */
  private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /**
   * Interval of checks for changed limits. Asking the limits instead would be counted as a call,
   * and charged by limits that count attempts.
   */
  private static final long LOOK_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final MessageListenerContainer container;
  private final TopicPartition partition;
  private final TurnException turn;
  private final Thread consumer = Thread.currentThread();
  private final long endNanos;
  private volatile boolean revoked;

  PartitionPause(MessageListenerContainer container, TopicPartition partition, TurnException turn) {
    this.container = container;
    this.partition = partition;
    this.turn = turn;
    long patience = Math.max(LEAST_NANOS, turn.patience().toNanos() + 1);
    endNanos = System.nanoTime() + patience;
  }

  /** Whether this hold is of this consumer thread and partition. */
  boolean isOf(Thread thread, TopicPartition other) {
    return consumer == thread && partition.equals(other);
  }

  /**
   * Ends the hold soon: the record belongs to another consumer now, and must not delay this
   * consumer if it gets the partition again.
   */
  void revoke() {
    revoked = true;
  }

  /** Returns the time until the next check, ns. */
  long nextLookNanos() {
    return Math.min(LOOK_EVERY_NANOS, endNanos - System.nanoTime());
  }

  /**
   * Whether to offer the record again: it is its turn, the partition was revoked, the container
   * stops, or limits have changed.
   */
  boolean isOver() {
    return System.nanoTime() - endNanos >= 0
        || revoked
        || !container.isRunning()
        || turn.isChanged();
  }

  void begin() {
    container.pausePartition(partition);
  }

  void end() {
    container.resumePartition(partition);
  }
}

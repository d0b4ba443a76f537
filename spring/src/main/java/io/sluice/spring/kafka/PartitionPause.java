package io.sluice.spring.kafka;

import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Pause of a Kafka partition until a limit allows the record that waits in it. Created by the
 * thread of the consumer that has the partition.
 */
final class PartitionPause {
  /**
   * Minimum duration of a pause: if the clocks of two hosts differ, the computed wait may be too
   * short several times in a row.
   */
  private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /**
   * Interval of checks whether limits have changed. Metering the record again at each check would
   * count as a call, and charge limits that also count refused calls.
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

  /** Whether this is a pause of the given partition by the given consumer thread. */
  boolean isOf(Thread thread, TopicPartition other) {
    return consumer == thread && partition.equals(other);
  }

  /**
   * Lets the pause end at its next check: the partition was revoked, so another consumer processes
   * the record, and the pause must not delay this consumer if it gets the partition again.
   */
  void revoke() {
    revoked = true;
  }

  /** Returns the time until the next check whether the pause is over, in nanoseconds. */
  long nextLookNanos() {
    return Math.min(LOOK_EVERY_NANOS, endNanos - System.nanoTime());
  }

  /**
   * Whether the partition must be resumed: the wait is over, the partition was revoked, the
   * container stops, or limits have changed.
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

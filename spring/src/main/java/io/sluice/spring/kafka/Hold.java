package io.sluice.spring.kafka;

import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * A partition that is paused until it is a record's turn. Made by the thread of the consumer that
 * has the partition.
 */
final class Hold {
  /** Where the clocks of two hosts differ, a wait may be too short again and again. */
  private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** Whoever asked the limits each time would be counted, and charged where attempts are. */
  private static final long LOOK_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final MessageListenerContainer container;
  private final TopicPartition partition;
  private final TurnException turn;
  private final Thread consumer = Thread.currentThread();
  private final long endNanos;
  private volatile boolean revoked;

  Hold(MessageListenerContainer container, TopicPartition partition, TurnException turn) {
    this.container = container;
    this.partition = partition;
    this.turn = turn;
    long patience = Math.max(LEAST_NANOS, turn.patience().toNanos() + 1);
    endNanos = System.nanoTime() + patience;
  }

  /** Whether the consumer of this thread has the partition. */
  boolean isOf(Thread thread, TopicPartition other) {
    return consumer == thread && partition.equals(other);
  }

  /** The record is another consumer's now, so who gets the partition again does not wait for it. */
  void revoke() {
    revoked = true;
  }

  /** The time until it is to be looked at again, if it is not over. */
  long nextLookNanos() {
    return Math.min(LOOK_EVERY_NANOS, endNanos - System.nanoTime());
  }

  /** Whether the record is to be offered again: in its turn, or as something has changed. */
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

package io.sluice.spring.kafka;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Pauses Kafka partitions whose next record is over a limit, until the limit allows the record.
 * Thread-safe.
 */
final class Pauses implements AutoCloseable {
  private final Set<PartitionPause> holds = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "sluice-turns");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Pauses the partition of a record that is over its limit, and resumes it when the limit allows
   * the record, or may allow it because limits have changed.
   */
  void hold(ConsumerRecord<?, ?> record, MessageListenerContainer container, TurnException turn) {
    TopicPartition partition = partition(record);
    // Uses the child container that has the partition: if the partition is reassigned, the parent
    // container cannot find that child again.
    MessageListenerContainer own =
        container.getContainerFor(partition.topic(), partition.partition());
    if (own.isPartitionPauseRequested(partition)) return; // the application paused and resumes it
    PartitionPause hold = new PartitionPause(own, partition, turn);
    holds.add(hold);
    hold.begin();
    await(hold);
  }

  private void await(PartitionPause hold) {
    // The future of the task is not needed: the task itself resumes the partition. At shutdown the
    // task may never run.
    Future<?> unused = clock.schedule(() -> look(hold), hold.nextLookNanos(), TimeUnit.NANOSECONDS);
  }

  private void look(PartitionPause hold) {
    // An exception also ends the pause; otherwise the partition would stay paused.
    boolean over = true;
    try {
      over = hold.isOver();
    } finally {
      if (over) end(hold);
      else await(hold);
    }
  }

  private void end(PartitionPause hold) {
    holds.remove(hold);
    hold.end();
  }

  /**
   * Marks the pauses of the calling consumer thread's revoked partitions, so that they end at their
   * next check. They do not end at once: resuming a partition wakes up the consumer, which is in a
   * rebalance.
   */
  void revoke(Collection<TopicPartition> partitions) {
    Thread consumer = Thread.currentThread();
    for (PartitionPause hold : holds) {
      if (partitions.stream().anyMatch(each -> hold.isOf(consumer, each))) hold.revoke();
    }
  }

  /**
   * Seeks each partition back to the first of the given records, so that the next poll returns them
   * again.
   */
  static void rewind(List<? extends ConsumerRecord<?, ?>> records, Consumer<?, ?> consumer) {
    Map<TopicPartition, Long> first = new LinkedHashMap<>();
    records.forEach(record -> first.putIfAbsent(partition(record), record.offset()));
    first.forEach(consumer::seek);
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }

  private static TopicPartition partition(ConsumerRecord<?, ?> record) {
    return new TopicPartition(record.topic(), record.partition());
  }
}

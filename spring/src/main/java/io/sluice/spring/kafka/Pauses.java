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

/** Pauses partitions until it is the turn of a waiting record. Thread-safe. */
final class Pauses implements AutoCloseable {
  private final Set<PartitionPause> holds = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "sluice-turns");
            thread.setDaemon(true);
            return thread;
          });

  /** Pauses a record's partition, and resumes it when it is, or may be, the record's turn. */
  void hold(ConsumerRecord<?, ?> record, MessageListenerContainer container, TurnException turn) {
    TopicPartition partition = partition(record);
    // Uses the child container that has the partition: if the partition is reassigned, the parent
    // cannot find that child again.
    MessageListenerContainer own =
        container.getContainerFor(partition.topic(), partition.partition());
    if (own.isPartitionPauseRequested(partition)) return; // by the user, who also resumes it
    PartitionPause hold = new PartitionPause(own, partition, turn);
    holds.add(hold);
    hold.begin();
    await(hold);
  }

  private void await(PartitionPause hold) {
    // The future is not needed: the task itself resumes the partition. At shutdown it may never
    // run.
    Future<?> unused = clock.schedule(() -> look(hold), hold.nextLookNanos(), TimeUnit.NANOSECONDS);
  }

  private void look(PartitionPause hold) {
    boolean over = true; // also after an exception; otherwise the partition would stay paused
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
   * Ends the holds of these partitions of the calling consumer thread. They end soon rather than
   * now: resuming a partition wakes up the consumer, which is in a rebalance.
   */
  void revoke(Collection<TopicPartition> partitions) {
    Thread consumer = Thread.currentThread();
    for (PartitionPause hold : holds) {
      if (partitions.stream().anyMatch(each -> hold.isOf(consumer, each))) hold.revoke();
    }
  }

  /** Seeks back, so that the next poll starts at these records. */
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

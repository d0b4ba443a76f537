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

/** The pauses of containers until it is a record's turn. Safe for many threads. */
final class Pauses implements AutoCloseable {
  private final Set<Hold> holds = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "sluice-turns");
            thread.setDaemon(true);
            return thread;
          });

  /** Holds a record's partition, and lets it go on when it is, or may be, the record's turn. */
  void hold(ConsumerRecord<?, ?> record, MessageListenerContainer container, TurnException turn) {
    TopicPartition partition = partition(record);
    // The one that has the partition: a partition that has moved on is not found by its name.
    MessageListenerContainer own =
        container.getContainerFor(partition.topic(), partition.partition());
    if (own.isPartitionPauseRequested(partition)) return; // by the user, who resumes it as well
    Hold hold = new Hold(own, partition, turn);
    holds.add(hold);
    hold.begin();
    await(hold);
  }

  private void await(Hold hold) {
    // Nobody waits for it: without its end, as when the application ends, nothing goes on.
    Future<?> unused = clock.schedule(() -> look(hold), hold.nextLookNanos(), TimeUnit.NANOSECONDS);
  }

  private void look(Hold hold) {
    boolean over = true; // also if that fails, or nobody would ever look again
    try {
      over = hold.isOver();
    } finally {
      if (over) end(hold);
      else await(hold);
    }
  }

  private void end(Hold hold) {
    holds.remove(hold);
    hold.end();
  }

  /**
   * Ends what holds these partitions of the consumer of this thread, soon: to resume one wakes the
   * consumer, which is in the middle of a rebalance now.
   */
  void revoke(Collection<TopicPartition> partitions) {
    Thread consumer = Thread.currentThread();
    for (Hold hold : holds) {
      if (partitions.stream().anyMatch(each -> hold.isOf(consumer, each))) hold.revoke();
    }
  }

  /** Has the next poll begin at these records again. */
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

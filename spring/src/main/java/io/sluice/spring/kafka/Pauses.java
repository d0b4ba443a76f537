package io.sluice.spring.kafka;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  /** Where the clocks of two hosts differ, a wait may be too short again and again. */
  private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "sluice-turns");
            thread.setDaemon(true);
            return thread;
          });

  /** Holds a record's partition, and lets it go on when it is the record's turn. */
  void hold(ConsumerRecord<?, ?> record, MessageListenerContainer container, Duration patience) {
    TopicPartition partition = partition(record);
    // The one that has the partition: a partition that has moved on is not found by its name.
    MessageListenerContainer own =
        container.getContainerFor(partition.topic(), partition.partition());
    if (own.isPartitionPauseRequested(partition)) return; // by the user, who resumes it as well
    own.pausePartition(partition);
    // Nobody waits for it: without its end, as when the application ends, nothing goes on.
    Future<?> unused =
        clock.schedule(
            () -> own.resumePartition(partition),
            Math.max(LEAST_NANOS, patience.toNanos() + 1),
            TimeUnit.NANOSECONDS);
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

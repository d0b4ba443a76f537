package io.sluice.topology.prefetch;

import io.sluice.topology.intake.EventBatch;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Queue of records that the consumer has polled but not yet returned to Kafka Streams, in the order
 * of the polls. Not thread-safe.
 */
final class HeldPolls {
  private final Deque<Poll> polls = new ArrayDeque<>();

  /**
   * Records of one poll that are not yet returned to Kafka Streams, and the future that completes
   * when Redis has been asked about all records of the poll.
   */
  private static final class Poll {
    final Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> records = new LinkedHashMap<>();
    final Map<TopicPartition, OffsetAndMetadata> next;
    final CompletableFuture<Void> asked;
    final long bytes;

    Poll(ConsumerRecords<byte[], byte[]> polled, CompletableFuture<Void> asked) {
      for (TopicPartition partition : polled.partitions()) {
        records.put(partition, polled.records(partition));
      }
      next = new HashMap<>(polled.nextOffsets());
      this.asked = asked;
      long sum = 0;
      for (ConsumerRecord<byte[], byte[]> each : polled) {
        sum += Math.max(0, each.serializedKeySize()) + Math.max(0, each.serializedValueSize());
      }
      // An upper bound, since it is not reduced when records are returned to Kafka Streams.
      bytes = sum;
    }

    boolean isEmpty() {
      return records.isEmpty() && next.isEmpty();
    }

    boolean hasMoreThan(Set<TopicPartition> partitions) {
      return !partitions.containsAll(records.keySet()) || !partitions.containsAll(next.keySet());
    }

    /**
     * Removes and returns the records of all but the given partitions, with the next offsets of the
     * partitions.
     *
     * @param kept partitions whose records stay, since they are paused
     */
    ConsumerRecords<byte[], byte[]> takeAllBut(Set<TopicPartition> kept) {
      Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> taken =
          new LinkedHashMap<>(records);
      Map<TopicPartition, OffsetAndMetadata> takenNext = new HashMap<>(next);
      taken.keySet().removeAll(kept);
      takenNext.keySet().removeAll(kept);
      drop(taken.keySet());
      drop(takenNext.keySet());
      return new ConsumerRecords<>(taken, takenNext);
    }

    void drop(Collection<TopicPartition> partitions) {
      records.keySet().removeAll(partitions);
      next.keySet().removeAll(partitions);
    }
  }

  void add(ConsumerRecords<byte[], byte[]> polled, CompletableFuture<Void> asked) {
    Poll poll = new Poll(polled, asked);
    if (!poll.isEmpty()) polls.add(poll);
  }

  boolean isEmpty() {
    return polls.isEmpty();
  }

  /** Returns the number of events in the queue; a record may be a batch of them. */
  int size() {
    int size = 0;
    for (Poll poll : polls) {
      for (List<ConsumerRecord<byte[], byte[]>> records : poll.records.values()) {
        for (ConsumerRecord<byte[], byte[]> each : records) size += events(each);
      }
    }
    return size;
  }

  private static int events(ConsumerRecord<byte[], byte[]> record) {
    return record.headers() instanceof EventBatch batch ? batch.size() : 1;
  }

  /** Returns an upper bound of the bytes of the keys and values of all records in the queue. */
  long bytes() {
    long bytes = 0;
    for (Poll poll : polls) bytes += poll.bytes;
    return bytes;
  }

  /**
   * Returns whether all records in the queue are of the given partitions, or the queue is empty.
   */
  boolean hasOnly(Set<TopicPartition> partitions) {
    for (Poll poll : polls) if (poll.hasMoreThan(partitions)) return false;
    return true;
  }

  /**
   * Finds the earliest poll with records of other partitions than the given ones, waits until Redis
   * has been asked about that poll, and removes and returns its records of other partitions.
   * Returns no records if there is no such poll.
   *
   * @param partitions partitions whose records stay, since they are paused
   */
  ConsumerRecords<byte[], byte[]> takeAllBut(Set<TopicPartition> partitions) {
    for (Poll poll : polls) {
      if (!poll.hasMoreThan(partitions)) continue;
      poll.asked.join();
      ConsumerRecords<byte[], byte[]> taken = poll.takeAllBut(partitions);
      polls.removeIf(Poll::isEmpty);
      return taken;
    }
    return ConsumerRecords.empty();
  }

  /**
   * Drops all records of the given partitions, because the consumer has given up the partitions or
   * seeks another position.
   */
  void drop(Collection<TopicPartition> partitions) {
    for (Poll poll : polls) poll.drop(partitions);
    polls.removeIf(Poll::isEmpty);
  }

  void clear() {
    polls.clear();
  }

  /** Returns the offset of the first record of a partition in the queue; empty if it has none. */
  OptionalLong position(TopicPartition partition) {
    for (Poll poll : polls) {
      List<ConsumerRecord<byte[], byte[]>> records = poll.records.get(partition);
      if (records != null) return OptionalLong.of(records.get(0).offset());
    }
    return OptionalLong.empty();
  }
}

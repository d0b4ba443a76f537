package io.sluice.topology.prefetch;

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

/** Queue of polled records that are not handed over yet, in their order. Not thread-safe. */
final class HeldPolls {
  private final Deque<Poll> polls = new ArrayDeque<>();

  /**
   * Remaining records of a poll, and the future that completes when Redis has been asked about all
   * of it.
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
        sum += length(each.key()) + length(each.value());
      }
      bytes = sum; // counts records handed over too: an upper bound
    }

    private static long length(byte[] bytes) {
      return bytes == null ? 0 : bytes.length;
    }

    boolean isEmpty() {
      return records.isEmpty() && next.isEmpty();
    }

    boolean hasMoreThan(Set<TopicPartition> partitions) {
      return !partitions.containsAll(records.keySet()) || !partitions.containsAll(next.keySet());
    }

    /**
     * Takes the records of all but these partitions, together with the offsets that follow them.
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

  /** Returns the number of held records. */
  int size() {
    int size = 0;
    for (Poll poll : polls) {
      for (List<ConsumerRecord<byte[], byte[]>> records : poll.records.values()) {
        size += records.size();
      }
    }
    return size;
  }

  /** Returns an upper bound of the bytes of their keys and values. */
  long bytes() {
    long bytes = 0;
    for (Poll poll : polls) bytes += poll.bytes;
    return bytes;
  }

  /** Returns whether all that is held is of these partitions. */
  boolean hasOnly(Set<TopicPartition> partitions) {
    for (Poll poll : polls) if (poll.hasMoreThan(partitions)) return false;
    return true;
  }

  /**
   * Waits until Redis has been asked about the earliest poll with records of other partitions than
   * these, and takes those records; returns nothing if there is no such poll.
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
   * Drops the records of these partitions; if the consumer keeps a partition, they are polled
   * again.
   */
  void drop(Collection<TopicPartition> partitions) {
    for (Poll poll : polls) poll.drop(partitions);
    polls.removeIf(Poll::isEmpty);
  }

  void clear() {
    polls.clear();
  }

  /** Returns the offset of the first held record of a partition; empty if none is held. */
  OptionalLong position(TopicPartition partition) {
    for (Poll poll : polls) {
      List<ConsumerRecord<byte[], byte[]>> records = poll.records.get(partition);
      if (records != null) return OptionalLong.of(records.get(0).offset());
    }
    return OptionalLong.empty();
  }
}

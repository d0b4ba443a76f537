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

/** The records that were polled and are not handed over yet, in their order. Not thread-safe. */
final class HeldPolls {
  private final Deque<Poll> polls = new ArrayDeque<>();

  /** The remaining records of a poll; it knows when Redis has been asked about all of them. */
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
      bytes = sum; // also of what is handed over of it: at most too much
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

    /** Records are said to be handed over together with the offset that follows them. */
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

  /** How many records there are. */
  int size() {
    int size = 0;
    for (Poll poll : polls) {
      for (List<ConsumerRecord<byte[], byte[]>> records : poll.records.values()) {
        size += records.size();
      }
    }
    return size;
  }

  /** How many bytes their keys and values have. */
  long bytes() {
    long bytes = 0;
    for (Poll poll : polls) bytes += poll.bytes;
    return bytes;
  }

  /** Whether there is nothing but of these partitions. */
  boolean hasOnly(Set<TopicPartition> partitions) {
    for (Poll poll : polls) if (poll.hasMoreThan(partitions)) return false;
    return true;
  }

  /**
   * Waits until all of the earliest poll is asked about that has more than of these partitions, and
   * takes the rest of it; nothing if there is none.
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

  /** Forgets what will be polled again, if by anybody here. */
  void drop(Collection<TopicPartition> partitions) {
    for (Poll poll : polls) poll.drop(partitions);
    polls.removeIf(Poll::isEmpty);
  }

  void clear() {
    polls.clear();
  }

  /** The offset of the first record of a partition that is not handed over. */
  OptionalLong position(TopicPartition partition) {
    for (Poll poll : polls) {
      List<ConsumerRecord<byte[], byte[]>> records = poll.records.get(partition);
      if (records != null) return OptionalLong.of(records.get(0).offset());
    }
    return OptionalLong.empty();
  }
}

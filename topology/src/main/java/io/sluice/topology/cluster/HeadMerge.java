package io.sluice.topology.cluster;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The records of several partitions in one order: the next one is always the first of a partition,
 * that with the smallest event time, and of several the first by topic and partition.
 */
final class HeadMerge {
  /*
   * Streams takes the records of a task's topics in the same order. Here one order spans all
   * partitions, and yet a record is late in it exactly if it is late in its own partition: whatever
   * was taken of others was not later than a record that was at the head of its own at that time.
   */
  private final Function<ConsumerRecord<byte[], byte[]>, OptionalLong> times;
  private final Map<TopicPartition, Lane> lanes = new HashMap<>();
  private final Set<TopicPartition> lacking = new HashSet<>();
  private final PriorityQueue<Lane> heads =
      new PriorityQueue<>(
          Comparator.<Lane>comparingLong(lane -> lane.headMs)
              .thenComparing(lane -> lane.partition.topic())
              .thenComparingInt(lane -> lane.partition.partition()));

  /** What is known of a partition's records, of which the head is the first. */
  private static final class Lane {
    final TopicPartition partition;
    final Queue<ConsumerRecord<byte[], byte[]>> records = new ArrayDeque<>();
    long headMs = Long.MIN_VALUE;
    boolean ended;

    Lane(TopicPartition partition) {
      this.partition = partition;
    }
  }

  /**
   * @param times of events; what is no event comes directly after the record before it
   */
  HeadMerge(
      Collection<TopicPartition> partitions,
      Function<ConsumerRecord<byte[], byte[]>, OptionalLong> times) {
    this.times = times;
    for (TopicPartition partition : partitions) lanes.put(partition, new Lane(partition));
    lacking.addAll(partitions);
  }

  /** The partitions whose next record must be known before there is a next one of all. */
  Set<TopicPartition> lacking() {
    return Set.copyOf(lacking);
  }

  /** Takes in the next record of its partition. */
  void add(ConsumerRecord<byte[], byte[]> record) {
    Lane lane = lanes.get(new TopicPartition(record.topic(), record.partition()));
    lane.records.add(record);
    if (lacking.remove(lane.partition)) showHead(lane);
  }

  /** No more records of this partition will come. */
  void end(TopicPartition partition) {
    lanes.get(partition).ended = true;
    lacking.remove(partition);
  }

  /** The next of all; empty if there is none, or if the partitions that lack one may have it. */
  Optional<ConsumerRecord<byte[], byte[]>> next() {
    if (!lacking.isEmpty() || heads.isEmpty()) return Optional.empty();
    Lane lane = heads.remove();
    ConsumerRecord<byte[], byte[]> next = lane.records.remove();
    if (!lane.records.isEmpty()) showHead(lane);
    else if (!lane.ended) lacking.add(lane.partition);
    return Optional.of(next);
  }

  private void showHead(Lane lane) {
    lane.headMs = times.apply(lane.records.element()).orElse(lane.headMs);
    heads.add(lane);
  }
}

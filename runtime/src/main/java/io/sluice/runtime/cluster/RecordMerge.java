package io.sluice.runtime.cluster;

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
 * Merge of several partitions' records into one order: of the first records of all partitions, the
 * one with the smallest event time is next; for equal times topic and partition decide.
 */
final class RecordMerge {
  /*
   * Kafka Streams takes the records of a task's topics in the same order. Here the order spans all
   * partitions. Still, a record is late in this order exactly if it is late in its own partition: a
   * record taken earlier from another partition was not later than the record at the head of this
   * one.
   */
  /*
   * Number and bytes of a partition's records in memory from which on no more of them are read.
   */
  private static final int MOST_AHEAD = 1_000;
  private static final long MOST_BYTES_AHEAD = 1 << 18;

  private final Function<ConsumerRecord<byte[], byte[]>, OptionalLong> times;
  private final Map<TopicPartition, Lane> lanes = new HashMap<>();
  private final Set<TopicPartition> lacking = new HashSet<>();
  private final PriorityQueue<Lane> heads =
      new PriorityQueue<>(
          Comparator.<Lane>comparingLong(lane -> lane.headMs)
              .thenComparing(lane -> lane.partition.topic())
              .thenComparingInt(lane -> lane.partition.partition()));

  /** Records of one partition that are not yet merged. The first of them is the head. */
  private static final class Lane {
    final TopicPartition partition;
    final Queue<ConsumerRecord<byte[], byte[]>> records = new ArrayDeque<>();
    long headMs = Long.MIN_VALUE;
    long bytes;
    boolean ended;

    Lane(TopicPartition partition) {
      this.partition = partition;
    }
  }

  /**
   * Creates a merge of these partitions.
   *
   * @param times event times; empty for records that are no events, which directly follow the
   *     record before them
   */
  RecordMerge(
      Collection<TopicPartition> partitions,
      Function<ConsumerRecord<byte[], byte[]>, OptionalLong> times) {
    this.times = times;
    for (TopicPartition partition : partitions) lanes.put(partition, new Lane(partition));
    lacking.addAll(partitions);
  }

  /** Partitions whose next record must be known before the merge can continue. */
  Set<TopicPartition> lacking() {
    return Set.copyOf(lacking);
  }

  /** Partitions that have not ended and of which few records are in memory. */
  Set<TopicPartition> wanted() {
    Set<TopicPartition> wanted = new HashSet<>();
    for (Lane lane : lanes.values()) {
      boolean isFull = lane.records.size() >= MOST_AHEAD || lane.bytes >= MOST_BYTES_AHEAD;
      if (!lane.ended && !isFull) wanted.add(lane.partition);
    }
    return wanted;
  }

  /** Adds the next record of a partition to the merge. */
  void add(ConsumerRecord<byte[], byte[]> record) {
    Lane lane = lanes.get(new TopicPartition(record.topic(), record.partition()));
    lane.records.add(record);
    lane.bytes += bytes(record);
    if (lacking.remove(lane.partition)) showHead(lane);
  }

  /** Marks a partition as having no more records. */
  void end(TopicPartition partition) {
    lanes.get(partition).ended = true;
    lacking.remove(partition);
  }

  /**
   * Returns the next record of the order; empty if there is none, or if a partition whose next
   * record is not known may have it.
   */
  Optional<ConsumerRecord<byte[], byte[]>> next() {
    if (!lacking.isEmpty() || heads.isEmpty()) return Optional.empty();
    Lane lane = heads.remove();
    ConsumerRecord<byte[], byte[]> next = lane.records.remove();
    lane.bytes -= bytes(next);
    if (!lane.records.isEmpty()) showHead(lane);
    else if (!lane.ended) lacking.add(lane.partition);
    return Optional.of(next);
  }

  private static long bytes(ConsumerRecord<byte[], byte[]> record) {
    return (long) length(record.key()) + length(record.value());
  }

  private static int length(byte[] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  private void showHead(Lane lane) {
    lane.headMs = times.apply(lane.records.element()).orElse(lane.headMs);
    heads.add(lane);
  }
}

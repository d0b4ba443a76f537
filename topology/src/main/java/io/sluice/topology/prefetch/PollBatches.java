package io.sluice.topology.prefetch;

import io.sluice.topology.intake.EventBatch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * Builder of the records of a poll with their events in batches. Records that were not added stay
 * as they are, behind the batches of their partition.
 */
final class PollBatches {
  private final ConsumerRecords<byte[], byte[]> polled;
  private final Map<TopicPartition, Lane> lanes = new LinkedHashMap<>();
  private Optional<EventBatch> open = Optional.empty();
  private Lane lane;

  /** Batches of one partition, and the number of its records that are in them. */
  private static final class Lane {
    final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    int added;
  }

  PollBatches(ConsumerRecords<byte[], byte[]> polled) {
    this.polled = polled;
    for (TopicPartition each : polled.partitions()) lanes.put(each, new Lane());
  }

  /**
   * Adds an event, to the last batch if that is of the same partition and not full.
   *
   * @param isHopped whether the event came through the repartition topic
   */
  void add(PollOrder.Opened opened, boolean isHopped) {
    TopicPartition partition = opened.partition();
    if (open.isPresent() && !takes(open.get(), partition)) end();
    if (open.isEmpty()) {
      open = Optional.of(new EventBatch(partition, isHopped));
      lane = lanes.get(partition);
    }
    long timeMs = isHopped ? opened.polled().timestamp() : opened.timeMs();
    boolean moves = isHopped || !opened.event().isFaulty();
    open.get().add(opened.record(), opened.polled(), moves ? timeMs : ConsumerRecord.NO_TIMESTAMP);
    lane.added++;
  }

  private static boolean takes(EventBatch batch, TopicPartition partition) {
    return !batch.isFull() && batch.partition().equals(partition);
  }

  /** Ends the last batch, so that the next event begins another. */
  void end() {
    open.ifPresent(batch -> lane.records.add(batch.toConsumerRecord()));
    open = Optional.empty();
  }

  /** Ends the last batch, and returns the records. */
  ConsumerRecords<byte[], byte[]> records() {
    end();
    Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> records = new LinkedHashMap<>();
    lanes.forEach(
        (partition, each) -> {
          List<ConsumerRecord<byte[], byte[]>> all = polled.records(partition);
          each.records.addAll(all.subList(each.added, all.size()));
          records.put(partition, each.records);
        });
    return new ConsumerRecords<>(records, polled.nextOffsets());
  }
}

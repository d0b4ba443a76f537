package io.sluice.topology.prefetch;

import io.sluice.topology.intake.EventRecord;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Iterator over the decoded events of a poll in the order in which Kafka Streams will process them:
 * one task after another, and within a task always the partition whose next event is the earliest.
 * So the clock of a task does not run ahead to the end of one topic before the events of another
 * topic are metered.
 */
final class PollOrder implements Iterator<PollOrder.Opened> {
  /**
   * Decoded event with the record that the consumer has polled.
   *
   * @param timeMs time of the event, or of the event before it if the record is faulty, epoch
   *     milliseconds
   */
  record Opened(
      TopicPartition partition,
      ConsumerRecord<byte[], byte[]> polled,
      Record<byte[], EventRecord> record,
      long timeMs) {
    EventRecord event() {
      return record.value();
    }
  }

  private final Iterator<List<Lane>> tasks;
  private List<Lane> task = List.of();

  /**
   * @param except topic whose records are left out
   * @param open decodes the event of a record; called shortly before the iterator returns it
   */
  PollOrder(
      ConsumerRecords<byte[], byte[]> polled,
      String except,
      Function<ConsumerRecord<byte[], byte[]>, Record<byte[], EventRecord>> open) {
    TreeMap<Integer, List<Lane>> lanes = new TreeMap<>();
    for (TopicPartition partition : polled.partitions()) {
      if (partition.topic().equals(except)) continue;
      lanes
          .computeIfAbsent(partition.partition(), absent -> new ArrayList<>())
          .add(new Lane(partition, polled.records(partition).iterator(), open));
    }
    tasks = lanes.values().iterator();
  }

  @Override
  public boolean hasNext() {
    while (task.isEmpty() && tasks.hasNext()) task = tasks.next();
    return !task.isEmpty();
  }

  @Override
  public Opened next() {
    if (!hasNext()) throw new NoSuchElementException();
    Lane earliest = task.get(0);
    for (int i = 1; i < task.size(); i++) {
      Lane lane = task.get(i);
      if (lane.front().timeMs < earliest.front().timeMs) earliest = lane;
    }
    Opened next = earliest.take();
    if (earliest.isEmpty()) task.remove(earliest);
    return next;
  }

  /**
   * Queue of the records of one topic partition that {@link PollOrder} has not returned yet. The
   * first of them is decoded early if the time of its event is compared with other partitions.
   */
  private static final class Lane {
    private final TopicPartition partition;
    private final Iterator<ConsumerRecord<byte[], byte[]>> records;
    private final Function<ConsumerRecord<byte[], byte[]>, Record<byte[], EventRecord>> open;
    private Opened front;
    private long timeMs;

    Lane(
        TopicPartition partition,
        Iterator<ConsumerRecord<byte[], byte[]>> records,
        Function<ConsumerRecord<byte[], byte[]>, Record<byte[], EventRecord>> open) {
      this.partition = partition;
      this.records = records;
      this.open = open;
    }

    boolean isEmpty() {
      return front == null && !records.hasNext();
    }

    Opened front() {
      if (front == null) front = open(records.next());
      return front;
    }

    private Opened open(ConsumerRecord<byte[], byte[]> record) {
      Record<byte[], EventRecord> opened = open.apply(record);
      EventRecord event = opened.value();
      // A faulty record gets the time of the event before it in its partition.
      if (!event.isFaulty()) timeMs = event.event().occurredAtMs();
      return new Opened(partition, record, opened, timeMs);
    }

    Opened take() {
      Opened taken = front();
      front = null;
      return taken;
    }
  }
}

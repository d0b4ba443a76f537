package io.sluice.topology.intake;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Consecutive events of one partition, decoded, that Kafka Streams handles as one record. Not
 * thread-safe.
 */
public final class EventBatch extends RecordHeaders {
  /*
   * The batch travels as the headers of its record, since Kafka Streams passes headers by reference
   * to the deserializer. A registry of batches would keep those that Streams drops when it clears
   * its queues.
   */

  /** Largest number of events in a batch. */
  public static final int MOST = 250;

  /**
   * Bytes of keys and values from which on a batch is full, since Kafka Streams bounds its buffers
   * by the number of batches.
   */
  static final int MOST_BYTES = 1 << 20;

  private static final byte[] NOTHING = {};
  private static final int FIRST_ROOM = 8;

  private final TopicPartition partition;
  private final boolean isHopped;
  private final List<Record<byte[], EventRecord>> records = new ArrayList<>();
  private long[] offsets = new long[FIRST_ROOM];
  private long[] timesMs = new long[FIRST_ROOM];
  private Optional<Integer> leaderEpoch = Optional.empty();
  private long latestMs = ConsumerRecord.NO_TIMESTAMP;
  private int keyBytes;
  private int valueBytes;

  /**
   * @param isHopped whether the events came through the repartition topic
   */
  public EventBatch(TopicPartition partition, boolean isHopped) {
    this.partition = partition;
    this.isHopped = isHopped;
  }

  /**
   * Adds an event.
   *
   * @param record decoded event, with its original key and headers
   * @param from record of the consumer with the event
   * @param timeMs time to which the event moves the clock of its task, epoch milliseconds; {@link
   *     ConsumerRecord#NO_TIMESTAMP} if it does not
   */
  public void add(
      Record<byte[], EventRecord> record, ConsumerRecord<byte[], byte[]> from, long timeMs) {
    if (isEmpty()) leaderEpoch = from.leaderEpoch();
    keyBytes += Math.max(0, from.serializedKeySize());
    valueBytes += Math.max(0, from.serializedValueSize());
    add(record, from.offset(), timeMs);
  }

  void add(Record<byte[], EventRecord> record, long offset, long timeMs) {
    int size = size();
    if (size == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * size);
      timesMs = Arrays.copyOf(timesMs, 2 * size);
    }
    offsets[size] = offset;
    timesMs[size] = timeMs;
    records.add(record);
    latestMs = Math.max(latestMs, timeMs);
  }

  /**
   * Returns the record that the consumer hands over to Kafka Streams. It has the offset of the
   * first event, which Streams commits while the record waits in its buffer.
   */
  public ConsumerRecord<byte[], byte[]> toConsumerRecord() {
    return new ConsumerRecord<>(
        partition.topic(),
        partition.partition(),
        offsets[0],
        Math.max(0, latestMs),
        TimestampType.CREATE_TIME,
        keyBytes,
        valueBytes,
        null,
        NOTHING,
        this,
        leaderEpoch);
  }

  /** Returns the record that one node of the topology forwards to the next node. */
  Record<byte[], EventRecord> toRecord() {
    return new Record<>(null, EventRecord.of(this), Math.max(0, latestMs));
  }

  public TopicPartition partition() {
    return partition;
  }

  /** Returns whether the events came through the repartition topic to their home partition. */
  public boolean isHopped() {
    return isHopped;
  }

  public boolean isEmpty() {
    return records.isEmpty();
  }

  /** Returns whether the batch should get no more events. */
  public boolean isFull() {
    return size() >= MOST || keyBytes + valueBytes >= MOST_BYTES;
  }

  public int size() {
    return records.size();
  }

  public List<Record<byte[], EventRecord>> records() {
    return records;
  }

  /** Returns the offset of an event. */
  public long offset(int index) {
    return offsets[index];
  }

  /** Returns the time to which an event moves the clock of its task; negative if it does not. */
  long timeMs(int index) {
    return timesMs[index];
  }

  /** Returns the latest time of the events; negative if none of them moves the clock. */
  long latestMs() {
    return latestMs;
  }
}

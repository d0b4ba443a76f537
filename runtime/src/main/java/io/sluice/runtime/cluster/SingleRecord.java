package io.sluice.runtime.cluster;

import io.sluice.live.kafka.ReadAccess;
import io.sluice.rules.StartException;
import io.sluice.topology.config.SluiceConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** Reader of one committed record of a topic, outside of the application's consumer group. */
public final class SingleRecord {
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final CloseOptions CLOSE_AT_ONCE = CloseOptions.timeout(Duration.ZERO);

  /** Number of empty polls after which the record counts as unreadable. */
  private static final int MOST_POLLS = 30;

  private final Consumer<byte[], byte[]> consumer;
  private final RecordPosition position;
  private final TopicPartition partition;

  private SingleRecord(Consumer<byte[], byte[]> consumer, RecordPosition position) {
    this.consumer = consumer;
    this.position = position;
    partition = new TopicPartition(position.topic(), position.partition());
  }

  /**
   * Reads a record.
   *
   * @param clientId name of the consumer for the brokers
   * @throws StartException if there is no such record, or it cannot be read; the message says why
   *     in one line, and which partitions or offsets the topic has
   */
  public static ConsumerRecord<byte[], byte[]> read(
      SluiceConfig config, String clientId, RecordPosition position) {
    ReadAccess access = new ReadAccess(config.streams(), clientId);
    Consumer<byte[], byte[]> consumer =
        access.open(Map.of(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1));
    try {
      return new SingleRecord(consumer, position).read();
    } catch (KafkaException e) {
      throw access.failed(e);
    } finally {
      consumer.close(CLOSE_AT_ONCE);
    }
  }

  private ConsumerRecord<byte[], byte[]> read() {
    checkPartition();
    checkOffset();
    consumer.assign(Set.of(partition));
    consumer.seek(partition, position.offset());
    for (int polls = 0; polls < MOST_POLLS; polls++) {
      for (ConsumerRecord<byte[], byte[]> each : consumer.poll(POLL)) {
        if (each.offset() == position.offset()) return each;
        throw new StartException(
            noRecord() + "; the next record of the partition has the offset " + each.offset());
      }
      if (consumer.position(partition) > position.offset()) throw new StartException(noRecord());
    }
    throw new StartException(position + " was not read: the brokers sent nothing; try again");
  }

  private void checkPartition() {
    List<PartitionInfo> known = consumer.partitionsFor(position.topic());
    if (known == null || known.isEmpty()) {
      throw new StartException("there is no topic " + position.topic() + " in the cluster");
    }
    if (known.stream().anyMatch(each -> each.partition() == position.partition())) return;
    throw new StartException(
        "there is no partition %d of %s: it has the partitions 0 to %d"
            .formatted(position.partition(), position.topic(), known.size() - 1));
  }

  private void checkOffset() {
    Set<TopicPartition> one = Set.of(partition);
    long begin = consumer.beginningOffsets(one).get(partition);
    long end = consumer.endOffsets(one).get(partition);
    if (position.offset() >= begin && position.offset() < end) return;
    String has =
        begin == end
            ? "it has no records"
            : "it has the offsets %d to %d".formatted(begin, end - 1);
    throw new StartException(
        "there is no offset %d in %s: %s".formatted(position.offset(), partition, has));
  }

  /** Such an offset is of a transaction marker, or compaction has removed its record. */
  private String noRecord() {
    return position + " is no committed record: it was aborted, removed, or marks a transaction";
  }
}

package io.sluice.runtime.cluster;

import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Transactional producer that commits an offset in every transaction, so that brokers refuse each
 * transaction of a process that is no longer a member of its group.
 */
final class FencedProducer extends KafkaProducer<byte[], byte[]> {
  /*
   * With exactly-once, the offsets that a transaction commits carry the generation of the group. By
   * the generation brokers detect a process that was suspended and has lost its partitions. Records
   * of a punctuation have no offsets if nothing was read since the last commit; then Kafka Streams
   * would commit no offsets, and the transaction of a suspended process would be committed beside
   * that of its successor. So every transaction commits an offset, of a partition that no group
   * member reads.
   */
  private static final OffsetAndMetadata NOWHERE = new OffsetAndMetadata(0, "fence");

  private final TopicPartition fence;

  /**
   * Creates the producer of a thread.
   *
   * @param fence an existing partition that no member of the group reads
   */
  FencedProducer(Map<String, Object> config, TopicPartition fence) {
    super(config, new ByteArraySerializer(), new ByteArraySerializer());
    this.fence = fence;
  }

  @Override
  public void sendOffsetsToTransaction(
      Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
    super.sendOffsetsToTransaction(offsets.isEmpty() ? Map.of(fence, NOWHERE) : offsets, group);
  }
}

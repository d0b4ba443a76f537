package io.sluice.topology.cluster;

import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A producer whose transactions a broker refuses once their sender is no member of its group any
 * more, whatever they hold.
 */
final class FencedProducer extends KafkaProducer<byte[], byte[]> {
  /*
   * Exactly once, brokers tell a process that was frozen from the one that has its partitions now by
   * the offsets that a transaction commits: they come with the generation of the group. What a timer
   * lets go has no offsets if nothing was read since the last commit, or ever; then the client sends
   * none, and the transaction of a process that is back from the dead is committed beside that of its
   * successor. So there is always one: of a partition that nobody reads as a member of the group.
   */
  private static final OffsetAndMetadata NOWHERE = new OffsetAndMetadata(0, "fence");

  private final TopicPartition fence;

  /**
   * @param fence exists, and no member of the group reads it
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

package io.sluice.topology.cluster;

import io.sluice.topology.intake.Nodes;
import java.util.Map;
import java.util.Properties;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The clients that Streams gets: its own, but for the consumer that reads events and the producers,
 * which are {@link FencedProducer}s or, without transactions, {@link UnforgettingProducer}s.
 *
 * @param own makes the others
 * @param reading makes of a consumer the one that reads events
 * @param ours whether producers are ours; not if somebody makes clients of their own
 * @param fence a partition that nobody reads, of which every transaction commits an offset
 */
record StreamsClients(
    KafkaClientSupplier own,
    UnaryOperator<Consumer<byte[], byte[]>> reading,
    boolean ours,
    TopicPartition fence)
    implements KafkaClientSupplier {
  /** Those of an application with these settings. */
  static StreamsClients of(Properties streams, UnaryOperator<Consumer<byte[], byte[]>> reading) {
    String applicationId = streams.getProperty(StreamsConfig.APPLICATION_ID_CONFIG);
    return new StreamsClients(
        new StreamsConfig(streams).getKafkaClientSupplier(),
        reading,
        !streams.containsKey(StreamsConfig.DEFAULT_CLIENT_SUPPLIER_CONFIG),
        new TopicPartition(Nodes.changelog(applicationId, Nodes.WAITING), 0));
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    return reading.apply(own.getConsumer(config));
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return own.getRestoreConsumer(config);
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return own.getGlobalConsumer(config);
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    if (!ours) return own.getProducer(config);
    boolean inTransactions = config.containsKey(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
    return inTransactions ? new FencedProducer(config, fence) : new UnforgettingProducer(config);
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return own.getAdmin(config);
  }
}

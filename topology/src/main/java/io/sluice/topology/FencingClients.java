package io.sluice.topology;

import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Streams' clients, of which those that send in transactions are {@link FencedProducer}s.
 *
 * @param clients makes the others
 */
record FencingClients(KafkaClientSupplier clients, TopicPartition fence)
    implements KafkaClientSupplier {
  /** The same clients, fenced unless somebody makes producers of their own. */
  static KafkaClientSupplier of(KafkaClientSupplier clients, Properties streams) {
    if (streams.containsKey(StreamsConfig.DEFAULT_CLIENT_SUPPLIER_CONFIG)) return clients;
    String applicationId = streams.getProperty(StreamsConfig.APPLICATION_ID_CONFIG);
    String topic = Nodes.changelog(applicationId, Nodes.WAITING);
    return new FencingClients(clients, new TopicPartition(topic, 0));
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return config.containsKey(ProducerConfig.TRANSACTIONAL_ID_CONFIG)
        ? new FencedProducer(config, fence)
        : clients.getProducer(config);
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    return clients.getConsumer(config);
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return clients.getRestoreConsumer(config);
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return clients.getGlobalConsumer(config);
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return clients.getAdmin(config);
  }
}

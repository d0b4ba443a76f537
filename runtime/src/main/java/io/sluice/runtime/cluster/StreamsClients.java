package io.sluice.runtime.cluster;

import io.sluice.topology.intake.Nodes;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Kafka clients for Kafka Streams. The consumer of events is wrapped; producers are {@link
 * ThreadProducer}s.
 *
 * @param own creates all other clients
 * @param reading wraps the consumer that reads events
 * @param producers creates the producers; empty if the user has configured a client supplier
 * @param fence a partition that no member reads; a transaction without other offsets commits an
 *     offset of it
 */
record StreamsClients(
    KafkaClientSupplier own,
    UnaryOperator<Consumer<byte[], byte[]>> reading,
    Optional<ThreadProducers> producers,
    TopicPartition fence)
    implements KafkaClientSupplier {
  /** Creates the supplier of clients with the settings of an application. */
  static StreamsClients of(
      Properties streams,
      UnaryOperator<Consumer<byte[], byte[]>> reading,
      ThreadProducers producers) {
    String applicationId = streams.getProperty(StreamsConfig.APPLICATION_ID_CONFIG);
    return new StreamsClients(
        new StreamsConfig(streams).getKafkaClientSupplier(),
        reading,
        areOurs(streams) ? Optional.of(producers) : Optional.empty(),
        new TopicPartition(Nodes.changelog(applicationId, Nodes.WAITING), 0));
  }

  /** Returns whether the user has not configured a client supplier. */
  static boolean areOurs(Properties streams) {
    return !streams.containsKey(StreamsConfig.DEFAULT_CLIENT_SUPPLIER_CONFIG);
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
    return producers.isPresent() ? producers.get().create(config, fence) : own.getProducer(config);
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return own.getAdmin(config);
  }
}

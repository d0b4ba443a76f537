package io.sluice.streams;

import io.sluice.runtime.cluster.RunningStreams;
import io.sluice.topology.intake.InputLag;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.Configurable;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Supplies the Kafka clients of an application with a {@link Throttle}: those of Kafka Streams, but
 * with producers that keep transactions safe, and, if a limit retries events, with consumers that
 * report their lag. Public because Kafka creates it by its class name, which is among the
 * {@linkplain Throttle#streamsProperties properties}.
 */
public final class ThrottleClients implements KafkaClientSupplier, Configurable {
  /**
   * Key of a property: the name of a topic that no member of the consumer group consumes. A
   * transaction without offsets commits an offset for this topic, so that the broker rejects the
   * transaction of an instance that has lost its partitions.
   */
  static final String FENCE = "sluice.throttle.fence";

  /**
   * Key of a property: the {@link InputLag}, which tells whether a stream task has processed all
   * its input; set only if a limit retries events.
   */
  static final String LAG = "sluice.throttle.lag";

  private KafkaClientSupplier clients;

  /** Creates an unconfigured supplier; Kafka calls this constructor. */
  public ThrottleClients() {}

  @Override
  public void configure(Map<String, ?> settings) {
    Map<String, Object> own = new HashMap<>(settings);
    own.remove(StreamsConfig.DEFAULT_CLIENT_SUPPLIER_CONFIG);
    KafkaClientSupplier streams = new StreamsConfig(own).getKafkaClientSupplier();
    TopicPartition fence = new TopicPartition((String) settings.get(FENCE), 0);
    UnaryOperator<Consumer<byte[], byte[]>> reading =
        settings.get(LAG) instanceof InputLag lag ? lag::watched : UnaryOperator.identity();
    clients = RunningStreams.clients(streams, reading, fence);
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return clients.getAdmin(config);
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return clients.getProducer(config);
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
}

package io.sluice.streams;

import io.sluice.topology.cluster.RunningStreams;
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
 * The clients of an application with a {@link Throttle}: Streams' own, but for the producers. Kafka
 * makes it, by its name among the {@linkplain Throttle#streamsProperties properties}, so it must be
 * public.
 */
public final class ThrottleClients implements KafkaClientSupplier, Configurable {
  /** A topic that no member of the group reads. */
  static final String FENCE = "sluice.throttle.fence";

  /** Tells whether a task has input left; there only if a limit has to know. */
  static final String LAG = "sluice.throttle.lag";

  private KafkaClientSupplier clients;

  /** For Kafka. */
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

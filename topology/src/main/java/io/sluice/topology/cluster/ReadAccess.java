package io.sluice.topology.cluster;

import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.metrics.StartException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.streams.StreamsConfig;

/** The way to read an application's topics, with the consumer's settings and in no group. */
final class ReadAccess {
  private static final String SIMULATION = "sluice-simulate";

  private final Properties streams;
  private final KafkaAccess access;
  private final String clientId;

  /**
   * For a simulation.
   *
   * @throws StartException if a client cannot be made of the settings
   */
  ReadAccess(SluiceConfig config) {
    this(config, SIMULATION);
  }

  /**
   * @param clientId what brokers know the consumer by
   * @throws StartException if a client cannot be made of the settings
   */
  ReadAccess(SluiceConfig config, String clientId) {
    this.clientId = clientId;
    streams = config.streams();
    access = new KafkaAccess(streams);
  }

  /**
   * A consumer.
   *
   * @throws StartException if there is certainly no way to the cluster, or none can be made
   */
  Consumer<byte[], byte[]> open() {
    return open(Map.of());
  }

  /** The same, with some settings of its own. */
  Consumer<byte[], byte[]> open(Map<String, Object> own) {
    access.open().close(Duration.ZERO); // it has looked whether there is a way
    try {
      StreamsConfig config = new StreamsConfig(streams);
      Map<String, Object> settings = settings(config);
      settings.putAll(own);
      return config.getKafkaClientSupplier().getRestoreConsumer(settings);
    } catch (KafkaException e) {
      throw new StartException("a Kafka client cannot be created: " + KafkaAccess.innermost(e), e);
    }
  }

  private Map<String, Object> settings(StreamsConfig config) {
    return ReaderSettings.of(config.getMainConsumerConfigs(clientId, clientId, 0), clientId);
  }

  /** Says why what was asked of the cluster failed, with the right that is missing if it is one. */
  StartException failed(KafkaException failure) {
    if (!(failure instanceof TopicAuthorizationException denied)) return access.failed(failure);
    Set<Right> missing = new LinkedHashSet<>();
    for (String topic : denied.unauthorizedTopics()) {
      missing.add(Right.of(AclOperation.READ, ResourceType.TOPIC, topic));
    }
    return new StartException(new MissingRights(missing, streams).line(), failure);
  }
}

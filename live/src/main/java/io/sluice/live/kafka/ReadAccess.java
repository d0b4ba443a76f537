package io.sluice.live.kafka;

import io.sluice.rules.StartException;
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

/**
 * Access for reading an application's topics, with its consumer settings but outside of its
 * consumer group.
 */
public final class ReadAccess {
  private static final String SIMULATION = "sluice-simulate";

  private final Properties streams;
  private final KafkaAccess access;
  private final String clientId;

  /**
   * Creates the access of a simulation, whose consumer has a fixed client id.
   *
   * @throws StartException if a client cannot be created with the settings
   */
  public ReadAccess(Properties streams) {
    this(streams, SIMULATION);
  }

  /**
   * Creates the access of a client with its own id.
   *
   * @param streams settings of Kafka Streams, including those of its clients
   * @param clientId name of the consumer for the brokers
   * @throws StartException if a client cannot be created with the settings
   */
  public ReadAccess(Properties streams, String clientId) {
    this.clientId = clientId;
    this.streams = streams;
    access = new KafkaAccess(streams);
  }

  /**
   * Creates a consumer that joins no group and commits no offsets.
   *
   * @throws StartException if the cluster certainly cannot be reached, or the consumer cannot be
   *     created
   */
  public Consumer<byte[], byte[]> open() {
    return open(Map.of());
  }

  /** Creates a consumer with additional settings, which override the application's. */
  public Consumer<byte[], byte[]> open(Map<String, Object> own) {
    access.requireReachable();
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

  /** Explains a failed request of a consumer; after a denial it names the missing rights. */
  public StartException failed(KafkaException failure) {
    if (!(failure instanceof TopicAuthorizationException denied)) return access.failed(failure);
    Set<Right> missing = new LinkedHashSet<>();
    for (String topic : denied.unauthorizedTopics()) {
      missing.add(Right.of(AclOperation.READ, ResourceType.TOPIC, topic));
    }
    return new StartException(new MissingRights(missing, streams).line(), failure);
  }
}

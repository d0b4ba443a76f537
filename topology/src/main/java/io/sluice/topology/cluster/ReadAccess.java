package io.sluice.topology.cluster;

import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.metrics.StartException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.streams.StreamsConfig;

/** The way to read an application's topics, with the consumer's settings and in no group. */
final class ReadAccess {
  private static final String SIMULATION = "sluice-simulate";

  /** So that a cluster that does not answer is told within a quarter of a minute. */
  private static final int MOST_WAIT_MS = 15_000;

  /** There may be a thousand partitions, and something of each is in memory. */
  private static final int FETCH_BYTES = 1 << 18;

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
    Map<String, Object> settings =
        new HashMap<>(config.getMainConsumerConfigs(clientId, clientId, 0));
    settings.keySet().removeIf(ReadAccess::isOfMember);
    settings.putIfAbsent(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES);
    // What waits for more is answered after the time that a request may take, and so never.
    settings.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1);
    settings.remove(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG);
    settings.remove(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG); // nobody is to notice
    settings.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    // What was deleted meanwhile is as if it had been deleted before.
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, MOST_WAIT_MS);
    settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, MOST_WAIT_MS);
    return settings;
  }

  /** Whether only a member of Streams' group needs it. */
  private static boolean isOfMember(String key) {
    return key.startsWith("group.")
        || key.startsWith("internal.")
        || key.startsWith("__")
        || key.equals(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG);
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

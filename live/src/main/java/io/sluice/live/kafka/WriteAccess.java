package io.sluice.live.kafka;

import io.sluice.rules.StartException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.streams.StreamsConfig;

/** Access for writing records to an application's topics, and for creating a topic. */
public final class WriteAccess {
  /**
   * Timeout in milliseconds, for blocking and again for delivery: together half a minute for a user
   * at a terminal.
   */
  private static final int MOST_WAIT_MS = 15_000;

  private static final int REQUEST_MS = 10_000;

  /** Transaction timeout in milliseconds; longer than writing thousands of records takes. */
  private static final int TRANSACTION_MS = 30_000;

  /**
   * Timeout for initializing or committing a transaction, in milliseconds. It is short, because
   * records are written without a transaction if initializing fails.
   */
  static final int TRANSACTION_STEP_MS = 5_000;

  private final Properties streams;
  private final KafkaAccess access;
  private final String clientId;

  /**
   * Creates the access of a client.
   *
   * @param streams settings of Kafka Streams, including those of its clients
   * @param clientId name of the producer for the brokers
   * @throws StartException if a client cannot be created with the settings
   */
  public WriteAccess(Properties streams, String clientId) {
    this.clientId = clientId;
    this.streams = streams;
    access = new KafkaAccess(streams);
  }

  /**
   * Creates a producer without transactions, with {@code acks=all}.
   *
   * @throws StartException if it cannot be created
   */
  Producer<byte[], byte[]> open() {
    return open(Map.of());
  }

  /**
   * Creates a transactional producer. Readers of committed records wait while a transaction is
   * open.
   *
   * @param transactionalId must not be used by another producer
   * @param stepMs timeout for initializing or committing a transaction, in milliseconds
   * @throws StartException if it cannot be created
   */
  public Producer<byte[], byte[]> openTransactional(String transactionalId, int stepMs) {
    return open(
        Map.of(
            ProducerConfig.TRANSACTIONAL_ID_CONFIG,
            transactionalId,
            ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
            TRANSACTION_MS,
            ProducerConfig.MAX_BLOCK_MS_CONFIG,
            stepMs,
            ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
            stepMs,
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
            2 * stepMs));
  }

  private Producer<byte[], byte[]> open(Map<String, Object> more) {
    try {
      StreamsConfig config = new StreamsConfig(streams);
      Map<String, Object> settings = settings(config);
      settings.putAll(more);
      return config.getKafkaClientSupplier().getProducer(settings);
    } catch (KafkaException e) {
      throw new StartException("a Kafka client cannot be created: " + KafkaAccess.innermost(e), e);
    }
  }

  private Map<String, Object> settings(StreamsConfig config) {
    Map<String, Object> settings = new HashMap<>(config.getProducerConfigs(clientId));
    settings.keySet().removeIf(key -> key.startsWith("internal.") || key.startsWith("__"));
    settings.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
    settings.remove(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG);
    settings.put(ProducerConfig.CLIENT_ID_CONFIG, clientId);
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, MOST_WAIT_MS);
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MS);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, MOST_WAIT_MS);
    return settings;
  }

  /**
   * Creates a compacted topic with one partition, unless another client has done so meanwhile. The
   * topic may not have a leader yet; a producer waits for it.
   *
   * @param replicationFactor less than 1 for the broker's default
   * @throws StartException if it cannot be created; the message says why in one line
   */
  void createCompacted(String topic, short replicationFactor) {
    Optional<Short> replicas =
        replicationFactor < 1 ? Optional.empty() : Optional.of(replicationFactor);
    NewTopic one = new NewTopic(topic, Optional.of(1), replicas).configs(LimitsTopic.CONFIGS);
    try (Admin admin = access.open()) {
      KafkaFuture<Void> created = admin.createTopics(List.of(one)).all();
      created.get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw failed(e.getCause(), AclOperation.CREATE, topic);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartException("interrupted while creating topic " + topic, e);
    }
  }

  /** Explains a failed write to a topic; after a denial it names the missing right. */
  StartException failed(Throwable failure, String topic) {
    return failed(failure, AclOperation.WRITE, topic);
  }

  private StartException failed(Throwable failure, AclOperation operation, String topic) {
    if (!(failure instanceof AuthorizationException)) return access.failed(failure);
    Right missing = Right.of(operation, ResourceType.TOPIC, topic);
    return new StartException(new MissingRights(Set.of(missing), streams).line(), failure);
  }
}

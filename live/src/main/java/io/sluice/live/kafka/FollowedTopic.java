package io.sluice.live.kafka;

import io.sluice.rules.StartException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Topic of revisions of another application, for a program that is not a Kafka Streams application.
 * It creates clients without a group, and neither creates nor writes anything. Thread-safe.
 */
public final class FollowedTopic {
  private static final String CONSUMER = "consumer.";
  private static final int ID_MS = 5_000;

  /**
   * Longest pause between connection attempts, in milliseconds, because each attempt logs a line or
   * two while the cluster is away.
   */
  private static final String RECONNECT_MS = "5000";

  private final String name;
  private final Map<String, Object> settings;
  private final KafkaAccess access;
  private final TopicId.Retention retention;

  /**
   * Creates the clients' settings, without connecting.
   *
   * @param kafka settings of Kafka's clients; those with the prefix {@code consumer.} or {@code
   *     admin.} are only for that client
   * @param clientId name of the consumer for the brokers
   * @throws StartException if a client cannot be created with the settings
   */
  public FollowedTopic(String name, Map<String, String> kafka, String clientId) {
    this.name = name;
    Properties all = new Properties();
    kafka.forEach(all::setProperty);
    all.putIfAbsent(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, RECONNECT_MS);
    access = new KafkaAccess(all);
    retention = new TopicId.Retention(name, all, ID_MS);
    settings = ReaderSettings.of(ofConsumer(kafka), clientId);
    settings.putAll(ReaderSettings.following());
    settings.putIfAbsent(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, RECONNECT_MS);
  }

  private static Map<String, Object> ofConsumer(Map<String, String> kafka) {
    Map<String, Object> given = new HashMap<>();
    for (String key : ConsumerConfig.configNames()) {
      String text = kafka.getOrDefault(CONSUMER + key, kafka.get(key));
      if (text != null) given.put(key, text);
    }
    return given;
  }

  public String name() {
    return name;
  }

  /** Returns the only partition of the topic. */
  public TopicPartition partition() {
    return new TopicPartition(name, 0);
  }

  /**
   * Creates an admin client for {@link #id}.
   *
   * @throws StartException if the cluster certainly cannot be reached, or the client cannot be
   *     created
   */
  public Admin admin() {
    return access.open();
  }

  /**
   * Creates a consumer of the topic's partition, without a group. The consumer fails if its offset
   * does not exist.
   *
   * @throws StartException if it cannot be created
   */
  public Consumer<byte[], byte[]> reader() {
    try {
      Consumer<byte[], byte[]> reader =
          new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
      reader.assign(List.of(partition()));
      return reader;
    } catch (KafkaException e) {
      throw new StartException("a Kafka client cannot be created: " + KafkaAccess.innermost(e), e);
    }
  }

  /**
   * Requests the id of the topic, which changes if the topic is recreated.
   *
   * @throws KafkaException if the brokers do not answer within seconds
   * @throws StartException if the topic has several partitions, since only one would be read
   */
  public Uuid id(Admin admin) {
    TopicDescription found = TopicId.describe(name, admin, ID_MS);
    if (found.partitions().size() == 1) return found.topicId();
    throw new StartException(
        "the topic of revisions must have one partition: "
            + name
            + " has "
            + found.partitions().size());
  }

  /** Requests the time for which the topic keeps tombstones, in milliseconds. */
  public long deletionsLastMs(Admin admin) {
    return retention.deletionsLastMs(admin);
  }

  /**
   * Whether a failure means that the cluster has answered with a refusal, so that a retry soon will
   * not help.
   */
  public static boolean isCertain(Throwable failure) {
    return failure instanceof UnknownTopicOrPartitionException
        || failure instanceof AuthorizationException
        || failure instanceof AuthenticationException;
  }

  /**
   * Reason why the topic cannot be read, in one line. It may ask the brokers, and so take seconds.
   */
  public String why(RuntimeException failure) {
    if (failure instanceof UnknownTopicOrPartitionException) return "there is no topic " + name;
    if (failure instanceof TopicAuthorizationException) {
      return "the right to read the topic " + name + " is missing";
    }
    return failure instanceof KafkaException kafka
        ? access.failed(kafka).getMessage()
        : String.valueOf(failure.getMessage());
  }
}

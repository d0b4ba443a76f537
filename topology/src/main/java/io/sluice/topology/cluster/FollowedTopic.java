package io.sluice.topology.cluster;

import io.sluice.topology.metrics.StartException;
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
 * The topic of a stream's revisions, for a program that is no stream: it has no Kafka Streams, is
 * in no group, and neither creates nor writes anything. Any thread may ask it for clients.
 */
public final class FollowedTopic {
  private static final String CONSUMER = "consumer.";
  private static final int ID_MS = 5_000;

  /** Each try is a line or two in the log, for as long as the cluster is away. */
  private static final String RECONNECT_MS = "5000";

  private final String name;
  private final Map<String, Object> settings;
  private final KafkaAccess access;
  private final TopicId.Retention retention;

  /**
   * A topic that nobody has asked about yet.
   *
   * @param kafka settings of Kafka's clients; those that begin with {@code consumer.} or {@code
   *     admin.} are for one of them
   * @param clientId what brokers know the consumer by
   * @throws StartException if a client cannot be made of the settings
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

  /** It has no other. */
  public TopicPartition partition() {
    return new TopicPartition(name, 0);
  }

  /**
   * A client for {@link #id}.
   *
   * @throws StartException if there is certainly no way to the cluster, or none can be made
   */
  public Admin admin() {
    return access.open();
  }

  /**
   * A consumer without a group. It fails where what it wants is not there.
   *
   * @throws StartException if none can be made
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
   * What tells the topic from another one of its name.
   *
   * @throws KafkaException if it is not known soon
   * @throws StartException if it has several partitions, of which others would be read by nobody
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

  /** How long the topic keeps the record that takes a revision back. */
  public long deletionsLastMs(Admin admin) {
    return retention.deletionsLastMs(admin);
  }

  /** Whether the cluster has said so: it will not be otherwise in a moment. */
  public static boolean isCertain(Throwable failure) {
    return failure instanceof UnknownTopicOrPartitionException
        || failure instanceof AuthorizationException
        || failure instanceof AuthenticationException;
  }

  /** Why it cannot be read, in one line. May ask the brokers what they are. */
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

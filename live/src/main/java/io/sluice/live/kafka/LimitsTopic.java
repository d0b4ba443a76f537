package io.sluice.live.kafka;

import io.sluice.rules.StartException;
import io.sluice.rules.settings.LimitsTopicConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.streams.StreamsConfig;

/** Topic of revisions. It creates clients for the topic with the application's settings. */
public final class LimitsTopic {
  /**
   * Settings of a new topic of revisions. Each instance writes a record to the topic every minute,
   * so segments are rolled hourly to let compaction remove old records.
   */
  public static final Map<String, String> CONFIGS =
      Map.of(
          TopicConfig.CLEANUP_POLICY_CONFIG,
          TopicConfig.CLEANUP_POLICY_COMPACT,
          TopicConfig.SEGMENT_MS_CONFIG,
          "3600000");

  private static final String COMMANDS = "sluice-limits";

  private static final int DELIVERY_MS = 10_000;
  private static final int ID_MS = 1_000;

  private final LimitsTopicConfig config;
  private final Properties streams;
  private final String clientId;
  private final ReadAccess access;
  private final TopicId.Retention retention;

  public LimitsTopic(LimitsTopicConfig config) {
    this(config, config.applicationId() + "-limits-" + UUID.randomUUID());
  }

  private LimitsTopic(LimitsTopicConfig config, String clientId) {
    this.config = config;
    this.clientId = clientId;
    streams = config.streams();
    access = new ReadAccess(streams, clientId);
    retention = new TopicId.Retention(name(), streams, ID_MS);
  }

  /**
   * Creates the access to the topic for a command line, with a fixed client id.
   *
   * @throws StartException if a client cannot be created with the settings
   */
  public static LimitsTopic ofCommands(LimitsTopicConfig config) {
    return new LimitsTopic(config, COMMANDS);
  }

  public String name() {
    return config.name();
  }

  /** Returns the only partition of the topic. */
  public TopicPartition partition() {
    return new TopicPartition(name(), 0);
  }

  /**
   * Creates a consumer of the topic's partition without a group, at the beginning. The consumer
   * fails if its offset does not exist.
   *
   * @throws StartException if the cluster certainly cannot be reached, or the consumer cannot be
   *     created
   */
  public Consumer<byte[], byte[]> reader() {
    Consumer<byte[], byte[]> consumer = access.open(ReaderSettings.following());
    consumer.assign(List.of(partition()));
    consumer.seek(partition(), 0);
    return consumer;
  }

  /** Creates a producer without transactions, which gives up a write within seconds. */
  public Producer<byte[], byte[]> writer() {
    StreamsConfig read = new StreamsConfig(streams);
    Map<String, Object> settings = new HashMap<>(read.getProducerConfigs(clientId));
    settings.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
    // The application's interceptors are for events, and would see these records too.
    settings.remove(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG);
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, ReaderSettings.REQUEST_MS);
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, ReaderSettings.REQUEST_MS);
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_MS);
    return read.getKafkaClientSupplier().getProducer(settings);
  }

  /**
   * Creates a consumer without a group and without an assignment, whose requests time out after 15
   * s.
   *
   * @throws StartException if the cluster certainly cannot be reached, or the consumer cannot be
   *     created
   */
  public Consumer<byte[], byte[]> patientReader() {
    return access.open(ReaderSettings.inLargeParts());
  }

  /**
   * Creates a producer without transactions, with {@code acks=all}.
   *
   * @throws StartException if it cannot be created
   */
  public Producer<byte[], byte[]> patientWriter() {
    return new WriteAccess(streams, clientId).open();
  }

  /**
   * Creates a producer with {@code acks=all} and a new transactional id.
   *
   * @throws StartException if it cannot be created
   */
  public Producer<byte[], byte[]> transactionalWriter() {
    String name = config.applicationId() + "-limits-" + UUID.randomUUID();
    return new WriteAccess(streams, clientId)
        .openTransactional(name, WriteAccess.TRANSACTION_STEP_MS);
  }

  /**
   * Creates the topic, unless another client has done so meanwhile. The topic may not have a leader
   * yet; a producer waits for it.
   *
   * @throws StartException if it cannot be created; the message says why in one line
   */
  public void create() {
    new WriteAccess(streams, clientId).createCompacted(name(), config.replicationFactor());
  }

  /** Explains a failed write to the topic; after a denial it names the missing right. */
  public StartException unwritten(Throwable failure) {
    return new WriteAccess(streams, clientId).failed(failure, name());
  }

  /** Creates an admin client, which {@link #id} needs. The caller closes the client. */
  public Admin admin() {
    return new KafkaAccess(streams).open();
  }

  /**
   * Requests the id of the topic, which changes if the topic is recreated.
   *
   * @throws KafkaException if the brokers do not answer within a second or so
   */
  public Uuid id(Admin admin) {
    return TopicId.describe(name(), admin, ID_MS).topicId();
  }

  /** Requests the time for which the topic keeps tombstones, in milliseconds. */
  public long deletionsLastMs(Admin admin) {
    return retention.deletionsLastMs(admin);
  }

  /** Explains a failed read of the topic; after a denial it names the missing right. */
  public StartException failed(KafkaException failure) {
    return access.failed(failure);
  }

  /**
   * Reason why the topic cannot be written, in one line; after a denial it names the missing right.
   */
  public String unwritable(Throwable failure) {
    if (!(failure instanceof AuthorizationException)) return Failure.of(failure).line();
    Right right = Right.of(AclOperation.WRITE, ResourceType.TOPIC, name());
    return new MissingRights(Set.of(right), streams).line();
  }
}

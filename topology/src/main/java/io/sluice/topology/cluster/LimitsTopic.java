package io.sluice.topology.cluster;

import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.metrics.StartException;
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
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.streams.StreamsConfig;

/** The topic of revisions, and the clients for it, with the application's own settings. */
public final class LimitsTopic {
  private static final String COMMANDS = "sluice-limits";

  private static final int DELIVERY_MS = 10_000;
  private static final int ID_MS = 1_000;

  private final SluiceConfig config;
  private final Properties streams;
  private final String clientId;
  private final ReadAccess access;
  private final TopicId.Retention retention;

  LimitsTopic(SluiceConfig config) {
    this(config, config.applicationId() + "-limits-" + UUID.randomUUID());
  }

  private LimitsTopic(SluiceConfig config, String clientId) {
    this.config = config;
    this.clientId = clientId;
    streams = config.streams();
    access = new ReadAccess(config, clientId);
    retention = new TopicId.Retention(name(), streams, ID_MS);
  }

  /**
   * The same for somebody who waits at a terminal.
   *
   * @throws StartException if a client cannot be made of the settings
   */
  public static LimitsTopic ofCommands(SluiceConfig config) {
    return new LimitsTopic(config, COMMANDS);
  }

  public String name() {
    return config.topics().limits();
  }

  /** It has no other. */
  public TopicPartition partition() {
    return new TopicPartition(name(), 0);
  }

  /**
   * A consumer without a group, at the beginning. It fails where what it wants is not there.
   *
   * @throws StartException if there is certainly no way to the cluster, or none can be made
   */
  public Consumer<byte[], byte[]> reader() {
    Consumer<byte[], byte[]> consumer = access.open(ReaderSettings.following());
    consumer.assign(List.of(partition()));
    consumer.seek(partition(), 0);
    return consumer;
  }

  /** A producer without transactions, which gives up within seconds. */
  public Producer<byte[], byte[]> writer() {
    StreamsConfig read = new StreamsConfig(streams);
    Map<String, Object> settings = new HashMap<>(read.getProducerConfigs(clientId));
    settings.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
    settings.remove(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG); // nobody is to notice
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, ReaderSettings.REQUEST_MS);
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, ReaderSettings.REQUEST_MS);
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_MS);
    return read.getKafkaClientSupplier().getProducer(settings);
  }

  /**
   * A consumer without a group, which waits for a quarter of a minute.
   *
   * @throws StartException if there is certainly no way to the cluster, or none can be made
   */
  public Consumer<byte[], byte[]> patientReader() {
    return access.open(ReaderSettings.inLargeParts());
  }

  /**
   * A producer that waits until all replicas have what it sends.
   *
   * @throws StartException if none can be made
   */
  public Producer<byte[], byte[]> patientWriter() {
    return new WriteAccess(config, clientId).open();
  }

  /**
   * The same, with transactions, each under a name of its own.
   *
   * @throws StartException if none can be made
   */
  public Producer<byte[], byte[]> transactionalWriter() {
    String name = config.applicationId() + "-limits-" + UUID.randomUUID();
    return new WriteAccess(config, clientId).openTransactional(name);
  }

  /**
   * Creates it, unless another has done so meanwhile; the producer waits for its leader.
   *
   * @throws StartException if it cannot be created, saying why in one line
   */
  public void create() {
    new WriteAccess(config, clientId).createCompacted(name());
  }

  /** Says why a record was not written, with the right that is missing if it is one. */
  public StartException unwritten(Throwable failure) {
    return new WriteAccess(config, clientId).failed(failure, name());
  }

  /** A client for {@link #id}. */
  public Admin admin() {
    return new KafkaAccess(streams).open();
  }

  /**
   * What tells the topic from another one of its name.
   *
   * @throws KafkaException if it is not known soon
   */
  public Uuid id(Admin admin) {
    return TopicId.describe(name(), admin, ID_MS).topicId();
  }

  /** How long the topic keeps the record that takes a revision back. */
  public long deletionsLastMs(Admin admin) {
    return retention.deletionsLastMs(admin);
  }

  /** Says why it cannot be read, with the right that is missing if it is one. */
  public StartException failed(KafkaException failure) {
    return access.failed(failure);
  }

  /** Why it cannot be written, in one line, with the right that is missing if it is one. */
  public String unwritable(Throwable failure) {
    if (!(failure instanceof AuthorizationException)) return Failure.of(failure).line();
    Right right = Right.of(AclOperation.WRITE, ResourceType.TOPIC, name());
    return new MissingRights(Set.of(right), streams).line();
  }
}

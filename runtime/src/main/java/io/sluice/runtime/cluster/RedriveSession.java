package io.sluice.runtime.cluster;

import io.sluice.live.kafka.KafkaAccess;
import io.sluice.rules.StartException;
import io.sluice.rules.event.Keys;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.config.Topics;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.intake.RecordSizes;
import io.sluice.topology.intake.RecordSizes.Most;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Access of the command {@code redrive} to the cluster: the dead letters, those that were sent back
 * before, and {@link RedriveSender}, which sends others. Not thread-safe.
 */
public final class RedriveSession implements AutoCloseable {
  /** Client id of the consumer and the producer. */
  static final String CLIENT = "sluice-redrive";

  private final SluiceConfig config;
  private final KafkaAccess access;
  private final Admin admin;
  private final RedriveTopic topic;
  private final Properties streams;
  private final RecordSizes sizes;
  private final Map<String, Integer> inputs;
  private final Map<String, TopicDescription> deadLetters = new LinkedHashMap<>();
  private final SentLetters sent;

  private RedriveSession(SluiceConfig config, KafkaAccess access, Admin admin) {
    this.config = config;
    this.access = access;
    this.admin = admin;
    streams = config.streams();
    TopicLookup lookup = new TopicLookup(access, admin, streams);
    topic = new RedriveTopic(config, lookup);
    for (String each : config.topics().deadLetter().names()) {
      deadLetters.put(
          each, lookup.describe(each, AclOperation.READ).orElseThrow(() -> missing(each)));
    }
    inputs = new HashMap<>();
    for (String each : config.inputTopics()) {
      lookup
          .describe(each, AclOperation.WRITE)
          .ifPresent(found -> inputs.put(each, found.partitions().size()));
    }
    sizes = findSizes();
    Map<String, Uuid> ids = new HashMap<>();
    deadLetters.forEach((name, found) -> ids.put(name, found.topicId()));
    sent = new SentLetters(ids);
  }

  /**
   * Opens a session, which writes nothing to the cluster.
   *
   * @throws StartException if a topic of dead letters cannot be read; the message says why in one
   *     line
   */
  public static RedriveSession open(SluiceConfig config) {
    KafkaAccess access = new KafkaAccess(config.streams());
    Admin admin = access.open();
    try {
      return new RedriveSession(config, access, admin);
    } catch (RuntimeException e) {
      admin.close(Duration.ZERO);
      throw e;
    }
  }

  /**
   * Reads which letters were sent by earlier sessions, without the right to send more.
   *
   * @throws StartException if they cannot be read; the message says why in one line
   */
  public void readSent() {
    topic.readTo(sent, CLIENT);
  }

  /**
   * Opens a sender, and reads which letters were sent by earlier sessions. If another process sends
   * letters of this application, its transaction is aborted, and it ends.
   *
   * @throws StartException if no letters can be sent; the message says why in one line
   */
  public RedriveSender openSender() {
    topic.prepare();
    RedriveSender sender = RedriveSender.open(config, streams, sent);
    try {
      // The record of sent letters is complete only after the transaction of another process ended.
      readSent();
      sent.retainSince(beginnings());
      return sender;
    } catch (RuntimeException e) {
      sender.close();
      throw e;
    }
  }

  private static StartException missing(String topic) {
    return new StartException("there is no topic " + topic + " (" + Keys.TOPICS_DEAD_LETTER + ")");
  }

  /** Reads the sizes of the topics, and lets the producer send records as large as the inputs'. */
  private RecordSizes findSizes() {
    Topics topics = config.topics();
    Set<String> all = new HashSet<>(topics.inputs());
    all.addAll(topics.outputs());
    all.add(topics.delayed());
    all.addAll(Nodes.internalTopics(config.applicationId()));
    TopicSizes reader = new TopicSizes(admin);
    Map<String, Most> found = reader.of(all);
    int largest =
        topics.inputs().stream()
            .filter(found::containsKey)
            .mapToInt(each -> found.get(each).bytes())
            .max()
            .orElse(TopicSizes.BROKERS_DEFAULT);
    TopicSetup.Prepared prepared =
        new TopicSetup.Prepared(
            1, largest, (int) LargeRecords.mostSent(largest), found, reader.areHidden());
    LargeRecords.provideFor(config, prepared, streams);
    return LargeRecords.sizes(config, prepared, new StreamsConfig(streams), reader);
  }

  private Map<TopicPartition, Long> beginnings() {
    Map<TopicPartition, OffsetSpec> all = new HashMap<>();
    deadLetters.forEach(
        (name, found) ->
            found
                .partitions()
                .forEach(
                    each ->
                        all.put(
                            new TopicPartition(name, each.partition()), OffsetSpec.earliest())));
    Map<TopicPartition, Long> beginnings = new HashMap<>();
    access
        .answer(admin.listOffsets(all).all(), UnknownTopicOrPartitionException.class)
        .forEach((partition, found) -> beginnings.put(partition, found.offset()));
    return beginnings;
  }

  /** Returns the sizes of records that the application's topics accept. */
  public RecordSizes sizes() {
    return sizes;
  }

  /** Number of partitions of each input topic that exists. */
  public Map<String, Integer> inputs() {
    return Map.copyOf(inputs);
  }

  /**
   * Opens a reader of the dead letters up to the current end. It may return letters with an earlier
   * timestamp, behind later ones.
   *
   * @throws StartException if the topics cannot be read; the message says why in one line
   */
  public PastRecords letters(Instant since) {
    return PastRecords.openAll(config, CLIENT, PastPlaces.deadLetters(config), since);
  }

  /** Whether this or an earlier session has sent the letter. */
  public boolean isSent(ConsumerRecord<?, ?> letter) {
    return sent.contains(RecordPosition.of(letter));
  }

  @Override
  public void close() {
    admin.close(Duration.ZERO);
  }
}

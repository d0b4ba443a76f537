package io.sluice.runtime.cluster;

import io.sluice.live.kafka.Failure;
import io.sluice.rules.StartException;
import io.sluice.rules.event.Keys;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.config.Topics;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;

/** Compacted topic that records which dead letters were sent back. */
record RedriveTopic(SluiceConfig config, TopicLookup lookup) {
  private static final String SUFFIX = "-redriven";

  String name() {
    return name(config);
  }

  static String name(SluiceConfig config) {
    return config.applicationId() + SUFFIX;
  }

  /**
   * Creates the topic if it is missing, and checks that it keeps its records.
   *
   * @throws StartException if the topic cannot be used; the message says why in one line
   */
  void prepare() {
    requireOwnName();
    if (!exists()) create();
    String policy = setup().cleanupPolicy(name());
    if (policy.equals(TopicConfig.CLEANUP_POLICY_COMPACT)) return;
    throw new StartException(
        "%s records which dead letters were sent, and would lose its records by cleanup.policy=%s: set cleanup.policy=compact"
            .formatted(name(), policy));
  }

  /**
   * Returns whether the topic exists.
   *
   * @throws StartException if it has several partitions
   */
  private boolean exists() {
    Optional<TopicDescription> found = lookup.describe(name(), AclOperation.READ);
    if (found.isEmpty()) return false;
    int partitions = found.get().partitions().size();
    if (partitions == 1) return true;
    throw new StartException(
        "%s must have one partition, and has %d: recreate it".formatted(name(), partitions));
  }

  private void create() {
    if (!config.topics().create()) {
      throw new StartException(
          "there is no topic %s, which records the letters that were sent, and %s=false: create it with one partition and cleanup.policy=compact"
              .formatted(name(), Keys.TOPICS_CREATE));
    }
    Map<String, String> settings =
        Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
    try {
      setup().create(Set.of(name()), 1, settings);
      setup().awaitReady(Set.of(name()));
    } catch (StartException e) {
      if (!(Failure.of(e).cause() instanceof AuthorizationException)) throw e;
      throw lookup.denied(AclOperation.CREATE, name(), e);
    }
  }

  private void requireOwnName() {
    Topics topics = config.topics();
    Set<String> others = new HashSet<>(topics.inputs());
    others.addAll(topics.outputs());
    others.add(topics.delayed());
    others.add(topics.limits());
    if (!others.contains(name())) return;
    throw new StartException(
        name() + " is needed to record which letters were sent: use another topic for events");
  }

  private TopicSetup setup() {
    return new TopicSetup(config.topics(), lookup.access(), lookup.admin());
  }

  /**
   * Reads the letters that were sent, if the topic exists.
   *
   * @throws StartException if a record cannot be read: a letter that it contains would be sent
   *     again
   */
  void readTo(SentLetters sent, String clientId) {
    if (!exists()) return;
    PastPlaces places = PastPlaces.all(List.of(name()), "sent letters");
    try (PastRecords records = PastRecords.openAll(config, clientId, places, Instant.EPOCH)) {
      for (var each = records.next(() -> {}); each.isPresent(); each = records.next(() -> {})) {
        read(each.get(), sent);
      }
    }
  }

  private static void read(ConsumerRecord<byte[], byte[]> record, SentLetters sent) {
    try {
      sent.read(record.key(), record.value());
    } catch (IllegalArgumentException e) {
      throw new StartException(
          "the record %s-%d-%d cannot be read: %s; use the release of Sluice that wrote it, or delete the topic, and all readable letters are sent again"
              .formatted(record.topic(), record.partition(), record.offset(), e.getMessage()),
          e);
    }
  }
}

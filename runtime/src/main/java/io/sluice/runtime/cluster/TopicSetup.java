package io.sluice.runtime.cluster;

import io.sluice.live.kafka.KafkaAccess;
import io.sluice.rules.StartException;
import io.sluice.topology.config.Topics;
import io.sluice.topology.intake.RecordSizes.Most;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Set-up of the application's topics: creates the missing ones before the first record is read or
 * written.
 */
final class TopicSetup {
  private static final Logger LOG = LoggerFactory.getLogger(TopicSetup.class);

  /** Topic name for a creation that is only validated; the topic is never created. */
  private static final String PROBE = "sluice-size-probe";

  private final Topics topics;
  private final KafkaAccess access;
  private final Admin admin;

  /**
   * Prepares the set-up of the topics.
   *
   * @param admin closed by the caller
   */
  TopicSetup(Topics topics, KafkaAccess access, Admin admin) {
    this.topics = topics;
    this.access = access;
    this.admin = admin;
  }

  /**
   * Topics that are ready, and their sizes.
   *
   * @param partitions number of partitions of each input topic
   * @param largestInput the largest record that an input topic takes, bytes
   * @param roomy the largest record that a newly created topic takes, bytes
   * @param sizes the largest record of each topic, existing ones of Kafka Streams included
   * @param hidden whether some sizes cannot be read for lack of a right
   */
  record Prepared(
      int partitions, int largestInput, int roomy, Map<String, Most> sizes, boolean hidden) {}

  /**
   * Creates the missing topics and waits until all topics can be used.
   *
   * @param internal topics that Kafka Streams creates, if they do not exist yet
   * @throws StartException if no broker answers, a topic is missing and must not be created, or
   *     partition counts that must agree do not
   */
  Prepared prepare(Collection<String> internal) {
    Map<String, Integer> found = describe(all());
    int partitions = inputPartitions(found);
    checkDelayed(found, partitions);
    Set<String> missing = new TreeSet<>(all());
    missing.removeAll(found.keySet());
    if (!missing.isEmpty() && !topics.create()) throw missing(missing);
    Set<String> outputs = new TreeSet<>(missing);
    topics.inputs().forEach(outputs::remove);
    missing.removeAll(outputs);
    if (!missing.isEmpty()) {
      create(missing, partitions, Map.of());
      partitions = inputPartitions(awaitReady(topics.inputs()));
    }
    TopicSizes sizes = new TopicSizes(admin);
    int largest = sizes.largest(topics.inputs());
    int roomy = sizes.roomy(largest, new NewTopic(PROBE, Optional.of(1), replicationFactor()));
    create(
        outputs, partitions, Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(roomy)));
    checkDelayed(awaitReady(all()), partitions);
    Set<String> everything = new TreeSet<>(all());
    everything.addAll(internal);
    return new Prepared(partitions, largest, roomy, sizes.of(everything), sizes.areHidden());
  }

  /**
   * Creates those of the given topics that are missing, with the configured number of partitions.
   */
  void provide(Collection<String> names) {
    Map<String, Integer> found = describe(names);
    found.forEach(this::requireConfigured);
    Set<String> missing = new TreeSet<>(names);
    missing.removeAll(found.keySet());
    if (!missing.isEmpty() && !topics.create()) throw missing(missing);
    int roomy =
        new TopicSizes(admin)
            .roomy(
                TopicSizes.BROKERS_DEFAULT,
                new NewTopic(PROBE, Optional.of(1), replicationFactor()));
    create(
        missing,
        topics.partitions(),
        Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(roomy)));
    awaitReady(names).forEach(this::requireConfigured);
  }

  private void requireConfigured(String topic, int partitions) {
    if (partitions == topics.partitions()) return;
    throw new StartException(
        topic
            + " has "
            + partitions
            + " partitions, and sluice.topics.partitions is "
            + topics.partitions()
            + ": both must be the same number, which must not change while events are delayed");
  }

  private Optional<Short> replicationFactor() {
    return topics.replicationFactor() < 1
        ? Optional.empty()
        : Optional.of(topics.replicationFactor());
  }

  private Set<String> all() {
    Set<String> all = new TreeSet<>(topics.inputs());
    all.addAll(topics.outputs());
    all.add(topics.delayed());
    return all;
  }

  private int inputPartitions(Map<String, Integer> found) {
    Map<String, Integer> inputs = new TreeMap<>(found);
    inputs.keySet().retainAll(topics.inputs());
    if (inputs.values().stream().distinct().count() > 1) {
      throw new StartException("input topics must have the same number of partitions: " + inputs);
    }
    return inputs.values().stream().findFirst().orElse(topics.partitions());
  }

  /**
   * Checks the topic of delayed events, which must bring events back to the partition where they
   * were metered.
   */
  private void checkDelayed(Map<String, Integer> found, int partitions) {
    int delayed = found.getOrDefault(topics.delayed(), partitions);
    if (delayed == partitions) return;
    throw new StartException(
        "the topic of delayed events must have as many partitions as the input: "
            + topics.delayed()
            + " has "
            + delayed
            + ", "
            + topics.inputs().get(0)
            + " has "
            + partitions);
  }

  /** Returns the number of partitions of each of these topics that exists. */
  Map<String, Integer> describe(Collection<String> names) {
    Map<String, Integer> partitions = new HashMap<>();
    admin
        .describeTopics(names)
        .topicNameValues()
        .forEach(
            (name, future) -> {
              try {
                TopicDescription description =
                    access.answer(future, UnknownTopicOrPartitionException.class);
                partitions.put(name, description.partitions().size());
              } catch (UnknownTopicOrPartitionException missing) {
                // A missing topic is no failure here, since it can be created.
              }
            });
    return partitions;
  }

  private static StartException missing(Set<String> names) {
    return new StartException(
        "missing topics: " + names + "; create them, or set sluice.topics.create=true");
  }

  void create(Set<String> missing, int partitions, Map<String, String> configs) {
    List<NewTopic> topicsToBe = new ArrayList<>();
    for (String name : missing) {
      topicsToBe.add(
          new NewTopic(name, Optional.of(partitions), replicationFactor()).configs(configs));
    }
    admin
        .createTopics(topicsToBe)
        .values()
        .forEach(
            (name, future) -> {
              try {
                access.answer(future, TopicExistsException.class);
                LOG.info("created topic {}", name);
              } catch (TopicExistsException another) {
                LOG.info("topic {} was created by another instance", name);
              }
            });
  }

  /**
   * Returns a topic's cleanup.policy; {@code compact} if it is unknown, since usually the right to
   * read settings is missing then.
   */
  String cleanupPolicy(String topic) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    try {
      return admin
          .describeConfigs(List.of(resource))
          .all()
          .get()
          .get(resource)
          .get(TopicConfig.CLEANUP_POLICY_CONFIG)
          .value();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartException("interrupted while preparing topics", e);
    } catch (ExecutionException e) {
      LOG.debug("whether {} is compacted is not known", topic, e);
      return TopicConfig.CLEANUP_POLICY_COMPACT;
    }
  }

  /**
   * Waits until topics, which may be new, can be used.
   *
   * @return number of partitions of each topic; another client may have created it with another
   *     number
   */
  Map<String, Integer> awaitReady(Collection<String> names) {
    return new TopicWait(admin, access).await(names);
  }
}

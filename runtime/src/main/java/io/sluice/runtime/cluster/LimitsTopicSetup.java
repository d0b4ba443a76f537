package io.sluice.runtime.cluster;

import io.sluice.live.kafka.LimitsTopic;
import io.sluice.rules.StartException;
import io.sluice.rules.event.Keys;
import io.sluice.topology.config.Topics;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.config.TopicConfig;

/** Set-up of the topic of revisions. */
final class LimitsTopicSetup {
  private final Topics topics;
  private final String name;
  private final TopicSetup setup;

  /**
   * Prepares the set-up of the topic.
   *
   * @param setup describes and creates topics
   */
  LimitsTopicSetup(Topics topics, TopicSetup setup) {
    this.topics = topics;
    this.name = topics.limits();
    this.setup = setup;
  }

  /**
   * Result of the set-up of the topic of revisions.
   *
   * @param there whether the topic exists and can be read
   * @param warnings a line each
   */
  record Prepared(boolean there, List<String> warnings) {}

  /**
   * Creates the topic of revisions if it is missing, unless {@code sluice.topics.create} is false.
   *
   * @throws StartException if the topic has several partitions, since only one would be read
   */
  Prepared prepare() {
    if (!topics.hasLimits()) return new Prepared(false, List.of());
    Optional<Integer> found = Optional.ofNullable(setup.describe(Set.of(name)).get(name));
    if (found.isEmpty() && !topics.create()) return new Prepared(false, List.of(off()));
    int partitions = found.orElseGet(this::create);
    if (partitions != 1) throw several(partitions);
    return new Prepared(true, found.isEmpty() ? List.of() : warnings());
  }

  /**
   * Creates the topic of revisions; returns its number of partitions, as another client may have
   * created it meanwhile.
   */
  private int create() {
    setup.create(Set.of(name), 1, LimitsTopic.CONFIGS);
    return setup.awaitReady(Set.of(name)).get(name);
  }

  private String off() {
    return "live limits are off: there is no topic %s (%s), and %s=false"
        .formatted(name, Keys.TOPICS_LIMITS, Keys.TOPICS_CREATE);
  }

  private StartException several(int partitions) {
    return new StartException(
        "the topic of revisions must have one partition: %s has %d; recreate it with one partition, or set %s to another topic"
            .formatted(name, partitions, Keys.TOPICS_LIMITS));
  }

  /**
   * Warns if the topic of revisions is not compacted. Such a topic works until its retention time
   * is over, so the instance starts.
   */
  private List<String> warnings() {
    String policy = setup.cleanupPolicy(name);
    if (policy.equals(TopicConfig.CLEANUP_POLICY_COMPACT)) return List.of();
    return List.of(
        "the topic of revisions, %s, has cleanup.policy=%s: revisions are deleted after its retention time; set cleanup.policy=compact"
            .formatted(name, policy));
  }
}

package io.sluice.runtime.cluster;

import static org.apache.kafka.common.acl.AclOperation.DELETE;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import io.sluice.live.kafka.Right;
import io.sluice.topology.config.Topics;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyDescription.Node;
import org.apache.kafka.streams.TopologyDescription.Processor;
import org.apache.kafka.streams.TopologyDescription.Sink;

/**
 * Rights that an application needs on topics: on those that its settings name, and on those that
 * Kafka Streams creates for it, whose names begin with the application id.
 */
final class TopicRights {
  private final String application;
  private final Topics topics;
  private final Map<String, Set<AclOperation>> operations = new TreeMap<>();
  private final Set<String> internal = new TreeSet<>();
  private final Set<String> creatable = new TreeSet<>();

  /** Collects the rights that are needed on the topics that the settings name. */
  TopicRights(String application, Topics topics) {
    this.application = application;
    this.topics = topics;
    topics.inputs().forEach(topic -> add(topic, READ));
    add(topics.delayed(), READ, WRITE);
    topics.outputs().forEach(topic -> add(topic, WRITE));
    if (topics.hasLimits()) add(topics.limits(), READ);
    if (topics.create()) creatable.addAll(operations.keySet());
  }

  private void add(String topic, AclOperation... added) {
    operations
        .computeIfAbsent(topic, any -> EnumSet.noneOf(AclOperation.class))
        .addAll(List.of(added));
  }

  /** Adds the rights on topics that Kafka Streams creates for a topology. */
  TopicRights with(Topology topology) {
    Set<String> named = Set.copyOf(operations.keySet());
    topology.describe().subtopologies().stream()
        .flatMap(part -> part.nodes().stream())
        .forEach(node -> add(node, named));
    return this;
  }

  private void add(Node node, Set<String> named) {
    if (node instanceof Processor processor) {
      processor.stores().forEach(store -> addInternal(store + "-changelog", READ, WRITE));
    } else if (node instanceof Sink sink && isInternal(sink, named)) {
      // Kafka Streams deletes the processed records of this topic, which would otherwise grow
      // without bound.
      addInternal(sink.topic(), READ, WRITE, DELETE);
    }
  }

  /**
   * Whether a sink writes to an internal topic of Kafka Streams. A sink with several output topics
   * has no topic name.
   */
  private static boolean isInternal(Sink sink, Set<String> named) {
    return sink.topic() != null && !named.contains(sink.topic());
  }

  private void addInternal(String suffix, AclOperation... added) {
    String topic = application + "-" + suffix;
    internal.add(topic);
    creatable.add(topic);
    add(topic, added);
  }

  Set<String> topics() {
    return operations.keySet();
  }

  /** Whether the topic may be created if it is missing. */
  boolean isCreated(String topic) {
    return creatable.contains(topic);
  }

  /**
   * Whether the topic may stay missing: without the topic of revisions, limits do not change while
   * the instance runs.
   */
  boolean isOptional(String topic) {
    return topic.equals(topics.limits()) && !isCreated(topic);
  }

  /** Rights that are missing on a topic if only these operations are allowed. */
  List<Right> missing(String topic, Set<AclOperation> allowed) {
    List<Right> missing = new ArrayList<>();
    for (AclOperation operation : operations.getOrDefault(topic, Set.of())) {
      if (!allowed.contains(operation)) missing.add(right(operation, topic));
    }
    return missing;
  }

  Right right(AclOperation operation, String topic) {
    return internal.contains(topic)
        ? Right.ofAll(operation, ResourceType.TOPIC, application)
        : Right.of(operation, ResourceType.TOPIC, topic);
  }
}

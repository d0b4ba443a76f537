package io.sluice.runtime.cluster;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs how the partitions of an instance change after its first assignment: because another
 * instance has ended or started, or because this instance lacks a thread.
 */
final class AssignmentLog {
  private static final Logger LOG = LoggerFactory.getLogger(AssignmentLog.class);

  private Optional<Set<TopicPartition>> before = Optional.empty();

  /**
   * Logs the changes since the last call. Must be called whenever all threads run, with the
   * partitions that they process.
   */
  synchronized void assigned(Set<TopicPartition> now) {
    before.ifPresent(
        old -> {
          say("this instance now also processes", minus(now, old));
          say("this instance no longer processes", minus(old, now));
        });
    before = Optional.of(Set.copyOf(now));
  }

  private static Set<TopicPartition> minus(Set<TopicPartition> all, Set<TopicPartition> others) {
    Set<TopicPartition> left = new HashSet<>(all);
    left.removeAll(others);
    return left;
  }

  private static void say(String how, Set<TopicPartition> partitions) {
    if (!partitions.isEmpty()) LOG.info("{} partitions: {}", how, named(partitions));
  }

  private static String named(Set<TopicPartition> partitions) {
    Map<String, SortedSet<Integer>> byTopic = new TreeMap<>();
    for (TopicPartition each : partitions) {
      byTopic.computeIfAbsent(each.topic(), topic -> new TreeSet<>()).add(each.partition());
    }
    return byTopic.entrySet().stream()
        .map(topic -> topic.getKey() + " " + numbers(topic.getValue()))
        .collect(Collectors.joining("; "));
  }

  private static String numbers(Set<Integer> partitions) {
    return partitions.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }
}

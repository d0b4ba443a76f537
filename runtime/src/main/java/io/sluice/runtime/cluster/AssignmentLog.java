package io.sluice.runtime.cluster;

import java.util.Collection;
import java.util.LinkedHashSet;
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
 * Logs how the partitions of an instance, and the other instances of the group, change after the
 * first assignment: because another instance has ended or started, or because this instance lacks a
 * thread.
 */
final class AssignmentLog {
  private static final Logger LOG = LoggerFactory.getLogger(AssignmentLog.class);

  private Optional<Assignment> before = Optional.empty();

  /**
   * State of the group as this instance knows it.
   *
   * @param partitions partitions that this instance processes
   * @param others advertised addresses of the other instances
   */
  private record Assignment(Set<TopicPartition> partitions, Set<String> others) {}

  /**
   * Logs the changes since the last call. Must be called whenever all threads run, with the
   * partitions that they process, and the advertised addresses of the other instances.
   */
  synchronized void assigned(Set<TopicPartition> partitions, Collection<String> others) {
    Assignment now = new Assignment(Set.copyOf(partitions), new TreeSet<>(others));
    before.ifPresent(
        old -> {
          for (String each : minus(old.others, now.others)) {
            LOG.info(
                "instance {} is gone from the group, and the others process its partitions; if it"
                    + " was not stopped, its own log says why it ended",
                each);
          }
          for (String each : minus(now.others, old.others)) {
            LOG.info("instance {} has joined the group", each);
          }
          say("this instance now also processes", minus(now.partitions, old.partitions));
          say("this instance no longer processes", minus(old.partitions, now.partitions));
        });
    before = Optional.of(now);
  }

  private static <T> Set<T> minus(Set<T> all, Set<T> others) {
    Set<T> left = new LinkedHashSet<>(all);
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

package io.sluice.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.LogLines;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class AssignmentLogTest {
  private static final List<String> NO_OTHERS = List.of();

  private final AssignmentLog log = new AssignmentLog();

  private static Set<TopicPartition> partitions(String topic, int... numbers) {
    return Arrays.stream(numbers)
        .mapToObj(number -> new TopicPartition(topic, number))
        .collect(Collectors.toSet());
  }

  @Test
  void theFirstAssignmentIsNotLogged() {
    try (LogLines lines = LogLines.of(AssignmentLog.class)) {
      log.assigned(partitions("input", 0, 1), NO_OTHERS);
      log.assigned(partitions("input", 0, 1), NO_OTHERS);
      assertThat(lines.lines()).isEmpty();
    }
  }

  @Test
  void partitionsThatComeAndGoAreNamed() {
    log.assigned(partitions("input", 0, 1, 2), NO_OTHERS);
    try (LogLines lines = LogLines.of(AssignmentLog.class)) {
      Set<TopicPartition> more = partitions("input", 0, 10, 9);
      more.addAll(partitions("delayed", 10));
      log.assigned(more, NO_OTHERS);
      assertThat(lines.lines())
          .containsExactly(
              "INFO this instance now also processes partitions: delayed 10; input 9, 10",
              "INFO this instance no longer processes partitions: input 1, 2");
    }
  }

  @Test
  void anInstanceThatHadNoPartitionsTakesOverTheFirst() {
    log.assigned(Set.of(), NO_OTHERS);
    try (LogLines lines = LogLines.of(AssignmentLog.class)) {
      log.assigned(partitions("input", 3), NO_OTHERS);
      assertThat(lines.lines())
          .containsExactly("INFO this instance now also processes partitions: input 3");
    }
  }

  @Test
  void otherInstancesThatComeAndGoAreNamedOnce() {
    Set<TopicPartition> same = partitions("input", 0);
    log.assigned(same, List.of("a:1", "b:1"));
    try (LogLines lines = LogLines.of(AssignmentLog.class)) {
      log.assigned(same, List.of("b:1", "a:1"));
      assertThat(lines.lines()).isEmpty();
      log.assigned(same, List.of("b:1", "c:1"));
      log.assigned(same, List.of("b:1", "c:1"));
      assertThat(lines.lines())
          .containsExactly(
              "INFO instance a:1 is gone from the group, and the others process its partitions; if"
                  + " it was not stopped, its own log says why it ended",
              "INFO instance c:1 has joined the group");
    }
  }
}

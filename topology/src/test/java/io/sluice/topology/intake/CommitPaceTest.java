package io.sluice.topology.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.junit.jupiter.api.Test;

/** Tests that the uncommitted records of a partition are limited, with any commit interval. */
class CommitPaceTest {
  private final List<Long> commits = new ArrayList<>();
  private long offset;
  private final CommitPace pace = new CommitPace(() -> commits.add(offset));

  private void pass(String topic, long at) {
    offset = at;
    pace.passed(
        new RecordMetadata() {
          @Override
          public String topic() {
            return topic;
          }

          @Override
          public int partition() {
            return 3;
          }

          @Override
          public long offset() {
            return at;
          }
        });
  }

  @Test
  void asksForACommitEverySoManyPositions() {
    for (long at = 100; at <= 100 + 3 * CommitPace.MOST; at++) pass("in", at);
    assertThat(commits)
        .containsExactly(
            100 + CommitPace.MOST, 100 + 2 * CommitPace.MOST, 100 + 3 * CommitPace.MOST);
  }

  /** Redis keeps positions, including those that have no record. */
  @Test
  void countsPositionsAndNotRecords() {
    pass("in", 0);
    pass("in", 10 * CommitPace.MOST);
    pass("in", 10 * CommitPace.MOST + 1);
    assertThat(commits).containsExactly(10 * CommitPace.MOST);
  }

  @Test
  void everyTopicHasItsOwnPositionsAndTheyAreAddedUp() {
    for (long at = 0; at < CommitPace.MOST / 2; at++) {
      pass("in", at);
      pass("home", at + 1_000_000);
    }
    assertThat(commits).isEmpty();
    pass("home", 1_000_001 + CommitPace.MOST / 2);
    assertThat(commits).containsExactly(1_000_001 + CommitPace.MOST / 2);
  }

  /** A task that is revived reads again from its last commit, with the same object. */
  @Test
  void whatComesAgainGivesNothingBack() {
    for (long at = 0; at < CommitPace.MOST; at++) pass("in", at);
    for (long at = 0; at <= CommitPace.MOST; at++) pass("in", at);
    assertThat(commits).containsExactly(1L);
  }
}

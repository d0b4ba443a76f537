package io.sluice.topology.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the uncommitted records of a task are limited, with any commit interval. */
class CommitPaceTest {
  @Test
  void asksForACommitEverySoManyRecords() {
    List<Integer> commits = new ArrayList<>();
    int[] passed = {0};
    CommitPace pace = new CommitPace(() -> commits.add(passed[0]));
    while (passed[0] < 3 * CommitPace.MOST + 1) {
      passed[0]++;
      pace.passed();
    }
    assertThat(commits).containsExactly(CommitPace.MOST, 2 * CommitPace.MOST, 3 * CommitPace.MOST);
  }
}

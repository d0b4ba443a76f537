package io.sluice.guarantees.promise;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.evidence.Lives;
import io.sluice.guarantees.scenario.Modes;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StaysUpTest {
  @TempDir private Path folder;

  @Test
  void whatTheRunHasCausedByNameIsExcused() {
    Lives lives = Lives.in(folder);
    lives.started("instance-1");
    lives.excused("instance-1 ended by itself", "the run killed the broker");

    assertThat(violations()).isEmpty();
    assertThat(lives.excused())
        .containsExactly("instance-1 ended by itself, because the run killed the broker");
    assertThat(lives.starts()).isEqualTo(1);
  }

  @Test
  void whatNobodyHasCausedIsFoundOutAlsoByWhoReadsItLater() {
    Lives.in(folder).broken("instance-1 has 1 of 2 threads");

    assertThat(violations()).containsExactly("instance-1 has 1 of 2 threads");
  }

  private List<String> violations() {
    return new HandMade(Modes.plain(), folder).violationsOf(new StaysUp());
  }
}

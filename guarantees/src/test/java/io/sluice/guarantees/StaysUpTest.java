package io.sluice.guarantees;

import static org.assertj.core.api.Assertions.assertThat;

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

    assertThat(violations(lives)).isEmpty();
    assertThat(lives.excused())
        .containsExactly("instance-1 ended by itself, because the run killed the broker");
    assertThat(lives.starts()).isEqualTo(1);
  }

  @Test
  void whatNobodyHasCausedIsFoundOutAlsoByWhoReadsItLater() {
    Lives.in(folder).broken("instance-1 has 1 of 2 threads");

    assertThat(violations(Lives.in(folder))).containsExactly("instance-1 has 1 of 2 threads");
  }

  @Test
  void anOutageExcusesWhatWasStartedWhileItLastedAndNoLaterStart() throws InterruptedException {
    Outages outages = new Outages();
    long before = System.nanoTime();
    outages.during("the run killed the broker", () -> {});
    long after = System.nanoTime() + 1;

    assertThat(outages.since(before)).contains("the run killed the broker");
    assertThat(outages.since(after)).isEmpty();
  }

  private static List<String> violations(Lives lives) {
    return new HandMade(Modes.plain(), lives).violationsOf(new StaysUp());
  }
}

package io.sluice.guarantees.promise;

import static io.sluice.guarantees.promise.HandMade.NOON_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.evidence.Lives;
import io.sluice.guarantees.evidence.Notes;
import io.sluice.guarantees.scenario.FaultKind;
import io.sluice.guarantees.scenario.Modes;
import java.io.IOException;
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

  @Test
  void aThreadMayLoseItsPartitionsOnlyAfterAFault() throws IOException {
    Notes notes = Notes.in(folder);
    notes.faults().lasted(FaultKind.FREEZE, NOON_MS - 9_000, NOON_MS);
    notes.faults().lasted(FaultKind.SHRINK_TOPIC, NOON_MS, NOON_MS + 900_000);
    HandMade.fenced(folder, NOON_MS + 69_000);
    assertThat(violations()).isEmpty();

    HandMade.fenced(folder, NOON_MS + 71_000);
    assertThat(violations()).singleElement().asString().contains("by no fault");
  }

  private List<String> violations() {
    return new HandMade(Modes.plain(), folder).violationsOf(new StaysUp());
  }
}

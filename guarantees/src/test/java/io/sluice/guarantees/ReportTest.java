package io.sluice.guarantees;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.evidence.Diary;
import io.sluice.guarantees.evidence.FaultLog;
import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Notes;
import io.sluice.guarantees.evidence.Read;
import io.sluice.guarantees.scenario.FaultKind;
import io.sluice.guarantees.scenario.Modes;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  private static final Modes PLAIN = Modes.plain();

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final Report report = new Report(new Diary(new PrintWriter(out)));

  private boolean hadFaults() {
    return report.faults(new History(PLAIN, Read.NOTHING, Read.NOTHING, Notes.in(folder)));
  }

  @Test
  void eachFaultThatNeverHappenedIsNamed() {
    assertThat(hadFaults()).isFalse();
    for (FaultKind kind : FaultKind.of(PLAIN)) {
      assertThat(out.toString()).contains("NEVER   " + kind + ": the run proves nothing about it");
    }
  }

  @Test
  void oneThatNeverHappenedIsEnough() {
    FaultLog log = FaultLog.in(folder);
    Set<FaultKind> all = FaultKind.of(PLAIN);
    for (FaultKind kind : all) if (kind != FaultKind.SPOIL_KEY) log.happened(kind);
    assertThat(hadFaults()).isFalse();
    assertThat(out.toString()).containsOnlyOnce("NEVER");

    log.happened(FaultKind.SPOIL_KEY);
    assertThat(hadFaults()).isTrue();
  }

  @Test
  void theCountsAreAligned() {
    FaultLog.in(folder).happened(FaultKind.KILL);
    hadFaults();

    List<String> table = out.toString().lines().takeWhile(line -> !line.isBlank()).toList();
    assertThat(table).hasSize(1 + FaultKind.values().length);
    assertThat(table.stream().map(String::length).distinct()).hasSize(1);
    assertThat(table).anyMatch(line -> line.matches("an instance is killed +1"));
    assertThat(table).anyMatch(line -> line.matches("the broker stands still longer than .* +-"));
  }
}

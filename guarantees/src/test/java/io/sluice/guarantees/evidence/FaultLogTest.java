package io.sluice.guarantees.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.evidence.FaultLog.Ending;
import io.sluice.guarantees.evidence.FaultLog.Lasted;
import io.sluice.guarantees.evidence.FaultLog.Shrunk;
import io.sluice.guarantees.scenario.FaultKind;
import java.nio.file.Path;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultLogTest {
  @TempDir private Path folder;

  @Test
  void whatWasWrittenDownIsReadAgain() {
    FaultLog log = FaultLog.in(folder);
    log.happened(FaultKind.KILL);
    log.happened(FaultKind.KILL);
    log.shrunk(100_001, 5, 9);
    log.lasted(FaultKind.NAP, 3, 4);
    log.mustEnd(7, Ending.TOO_LARGE);

    FaultLog again = FaultLog.in(folder);
    assertThat(again.count(FaultKind.KILL)).isEqualTo(2);
    assertThat(again.count(FaultKind.NAP)).isZero();
    assertThat(again.shrunk()).containsExactly(new Shrunk(100_001, 5, 9));
    assertThat(again.lasted()).containsExactly(new Lasted(FaultKind.NAP, 3, 4));
    assertThat(again.missing(EnumSet.of(FaultKind.KILL, FaultKind.NAP)))
        .containsExactly(FaultKind.NAP);
  }
}

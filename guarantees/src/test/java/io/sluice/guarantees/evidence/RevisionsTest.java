package io.sluice.guarantees.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.scenario.Revision;
import io.sluice.guarantees.scenario.Revision.Kind;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RevisionsTest {
  @TempDir private Path folder;

  @Test
  void whatIsWrittenDownIsReadAgain() {
    Revisions written = Revisions.in(folder);
    Revision back =
        new Revision("a", "flip", "ann", "verdict", "", 7, Revision.FOR_GOOD, Kind.HOLDS);
    written.acknowledged(back, 5);
    written.acknowledged(back.until(9).tombstone(), 6);
    written.brokerGone(1, 2);
    written.frozen(3, 4);

    Revisions read = Revisions.in(folder);
    assertThat(read.all()).isEqualTo(written.all()).hasSize(2);
    assertThat(read.brokerGone()).containsExactly(new Revisions.Span(1, 2));
    assertThat(read.frozen()).containsExactly(new Revisions.Span(3, 4));
  }
}

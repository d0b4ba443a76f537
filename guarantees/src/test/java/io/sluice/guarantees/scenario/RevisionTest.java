package io.sluice.guarantees.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.scenario.Revision.Kind;
import org.junit.jupiter.api.Test;

class RevisionTest {
  private final Revision back =
      new Revision("a", "*", "ann", "verdict", "", 7, Revision.FOR_GOOD, Kind.HOLDS);

  @Test
  void theValueIsWhatTheManualDescribes() {
    assertThat(back.value())
        .asString(UTF_8)
        .isEqualTo(
            "{\"limit\":\"*\",\"for\":{\"userId\":\"ann\"},\"effectiveAt\":7,"
                + "\"set\":{\"verdict\":null},\"by\":\"guarantees\"}");
    assertThat(new Revision("b", "tune", "", "quota", "5/10s", 7, 9, Kind.HOLDS).value())
        .asString(UTF_8)
        .isEqualTo(
            "{\"limit\":\"tune\",\"effectiveAt\":7,\"until\":9,"
                + "\"set\":{\"quota\":\"5/10s\"},\"by\":\"guarantees\"}");
    assertThat(back.tombstone().value()).isNull();
  }
}

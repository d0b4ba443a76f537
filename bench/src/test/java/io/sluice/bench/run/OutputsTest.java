package io.sluice.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OutputsTest {
  @Test
  void theSpeedIsThatOfTheSecondHalf() {
    Outputs outputs =
        new Outputs(new TreeMap<>(Map.of(1_000L, 10L, 2_000L, 40L, 5_000L, 20L, 5_100L, 30L)));

    assertThat(outputs.lastHalfPerSecond()).isEqualTo(50 * 1_000.0 / 3_100);
    assertThat(outputs.count()).isEqualTo(100);
    assertThat(outputs.firstMs()).isEqualTo(1_000);
    assertThat(outputs.lastMs()).isEqualTo(5_100);
  }

  @Test
  void ofOneBatchTheSpeedIsThatOfItsMillisecond() {
    assertThat(new Outputs(new TreeMap<>(Map.of(1_000L, 100L))).lastHalfPerSecond())
        .isEqualTo(100_000.0);
    assertThat(new Outputs(new TreeMap<>(Map.of(1_000L, 40L, 2_000L, 60L))).lastHalfPerSecond())
        .isEqualTo(60_000.0);
  }
}

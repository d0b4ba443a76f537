package io.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ResultsTest {
  private final Variant plain = Variants.passThrough();
  private final Variant other = Variant.of("other", 1, plain.application());
  private final Results results = new Results(List.of(plain, other));

  @Test
  void aRoundIsComparedWithItself() {
    round(1_000, 2_000);
    round(10_000, 20_000); // while the machine did something else
    round(1_000, 4_000);

    assertThat(results.ratio("other", Variants.PASS_THROUGH)).isEqualTo(new Spread(0.25, 0.5, 0.5));
  }

  @Test
  void theTableLinesUp() {
    round(1_000, 123_456);

    assertThat(new ThroughputTables(results).lines())
        .extracting(String::length)
        .hasSize(4)
        .containsOnly(new ThroughputTables(results).lines().get(0).length());
  }

  private void round(long plainMillis, long otherMillis) {
    results.add(plain, new Sample(1_000_000, 1_000_000, plainMillis, 0));
    results.add(other, new Sample(1_000_000, 500_000, otherMillis, 0));
  }
}

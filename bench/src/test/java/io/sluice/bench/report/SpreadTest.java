package io.sluice.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {
  @Test
  void theMedianIsTheMiddle() {
    assertThat(Spread.of(List.of(9.0, 1.0, 2.0))).isEqualTo(new Spread(1, 2, 9));
  }

  @Test
  void theMedianOfAnEvenNumberIsBetweenTheTwoInTheMiddle() {
    assertThat(Spread.of(List.of(4.0, 1.0, 3.0, 9.0))).isEqualTo(new Spread(1, 3.5, 9));
  }
}

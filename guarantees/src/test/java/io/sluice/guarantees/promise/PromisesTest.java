package io.sluice.guarantees.promise;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.scenario.Modes;
import org.junit.jupiter.api.Test;

class PromisesTest {
  private static final long SEED_OF_CI = 21;

  @Test
  void everyGuaranteeIsWholeInTheRunOfCi() {
    Modes modes = Modes.of(SEED_OF_CI);
    for (Guarantee each : Promises.all()) {
      assertThat(each.weakened(modes)).as(each.name()).isEmpty();
    }
  }
}

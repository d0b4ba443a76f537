package io.sluice.guarantees.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FaultKindTest {
  private static final Set<FaultKind> OF_SOME_MODES =
      EnumSet.of(FaultKind.OUTLAST, FaultKind.STEP_CLOCK);

  @Test
  void everyModeHasEveryFaultButTwo() {
    LongStream.range(0, 200)
        .mapToObj(Modes::of)
        .forEach(
            modes -> {
              Set<FaultKind> faults = FaultKind.of(modes);
              assertThat(faults).containsAll(EnumSet.complementOf(EnumSet.copyOf(OF_SOME_MODES)));
              assertThat(faults.contains(FaultKind.OUTLAST)).isEqualTo(modes.shortTimeouts());
              assertThat(faults.contains(FaultKind.STEP_CLOCK)).isNotEqualTo(modes.wallClock());
            });
  }

  @Test
  void theSeedsThatAreRunMostHaveEveryFaultBetweenThem() {
    assertThat(
            LongStream.of(21, 101, 102, 103)
                .mapToObj(seed -> FaultKind.of(Modes.of(seed)))
                .flatMap(Set::stream))
        .contains(FaultKind.values());
  }
}

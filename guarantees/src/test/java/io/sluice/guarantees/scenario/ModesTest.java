package io.sluice.guarantees.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ModesTest {
  /** Modes of the seeds used most; the first is that of CI. */
  private static final List<Modes> RUN_MOST =
      LongStream.of(21, 101, 102, 103).mapToObj(Modes::of).toList();

  private static final List<Function<Modes, Object>> ALL =
      List.of(
          Modes::exactlyOnce,
          Modes::wallClock,
          Modes::countsTries,
          Modes::shapedLog,
          Modes::standbys,
          Modes::inputs,
          Modes::streamsProtocol,
          Modes::onDisk,
          Modes::shortTimeouts);

  @Test
  void theSeedsThatAreRunMostSeeAllModesBetweenThem() {
    for (Function<Modes, Object> mode : ALL) {
      assertThat(RUN_MOST.stream().map(mode).distinct()).hasSize(2);
    }
    assertThat(RUN_MOST.stream().map(Modes::withoutRedis))
        .containsExactlyInAnyOrder(Modes.WithoutRedis.values());
    assertThat(RUN_MOST.stream().map(Modes::duplicates)).contains(Modes.Duplicates.values());
  }

  @Test
  void aSeedHasAlwaysTheSameModes() {
    assertThat(Modes.of(7)).isEqualTo(Modes.of(7));
  }
}

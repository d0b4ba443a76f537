package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Decision.Conforming;
import io.sluice.limiter.Decision.NonConforming;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that an arrival that only asks or is refused at a later time does not affect a following
 * arrival with an earlier time.
 */
class AskedAheadTest {
  private static final long NOW = 60_000_000L * 1_000_000;
  private static final long MINUTE = 60_000_000L;

  private static Arrival at(long micros, long cost) {
    return new Arrival("", cost, micros);
  }

  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void askingAtALaterTimeForgetsNothing(Algorithm algorithm) {
    InProcessLimiter limiter = new InProcessLimiter(Quota.parse("3/60s"), algorithm);
    for (int i = 0; i < 3; i++) {
      assertThat(limiter.meter("key", at(NOW, 1))).isInstanceOf(Conforming.class);
    }
    assertThat(limiter.meter("key", at(NOW + 10 * MINUTE, 0))).isEqualTo(new Conforming(3, 0));
    assertThat(limiter.meter("key", at(NOW + 1, 1))).isInstanceOf(NonConforming.class);
  }

  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void aRefusalAtALaterTimeForgetsNothing(Algorithm algorithm) {
    InProcessLimiter limiter = new InProcessLimiter(Quota.parse("3/60s"), algorithm);
    assertThat(limiter.meter("key", at(NOW, 3))).isInstanceOf(Conforming.class);
    limiter.meter("key", at(NOW + 10 * MINUTE, 4)); // oversized arrival
    assertThat(limiter.meter("key", at(NOW + 1, 1))).isInstanceOf(NonConforming.class);
  }

  /** An entry that has left the window at one instant counts again at an earlier instant. */
  @Test
  void aLogCountsForEachInstantWhatIsInItsWindow() {
    InProcessLimiter limiter =
        new InProcessLimiter(Quota.parse("100/60s"), Algorithm.SLIDING_WINDOW_LOG);
    for (int second = 0; second < 50; second++) {
      limiter.meter("key", at(NOW + second * 1_000_000L, 1));
    }
    for (int second : new int[] {85, 60, 109, 49, 70}) {
      int inWindow = Math.min(50, 50 - Math.max(0, second - 59));
      assertThat(limiter.meter("key", at(NOW + second * 1_000_000L, 0)).remaining())
          .as("at second %d", second)
          .isEqualTo(100 - inWindow);
    }
  }

  @ParameterizedTest
  @MethodSource("io.sluice.limiter.Scenarios#algorithmsOfEvents")
  void askingAboutOtherKeysAtALaterTimeForgetsNoKey(Algorithm algorithm) {
    InProcessLimiter limiter =
        new InProcessLimiter(Quota.parse("1/60s"), algorithm, InstantSource.system());
    limiter.meter("key", at(NOW, 1));
    for (int i = 0; i < 40_000; i++) limiter.meter("other-" + i, at(NOW + 10 * MINUTE, 0));
    assertThat(limiter.meter("key", at(NOW + 1, 1))).isInstanceOf(NonConforming.class);
  }
}

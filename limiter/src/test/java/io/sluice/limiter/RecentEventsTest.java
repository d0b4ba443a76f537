package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecentEventsTest {
  /** What the class promises, not what it is built with. */
  private static final int REMEMBERED = 65_536;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void remembersTheLast65536AndForgetsTheLongGone(long seed) {
    long[] hashes = new SplittableRandom(seed).longs(500_000).toArray();
    hashes[77_777] = 0; // a hash like any other
    RecentEvents recent = new RecentEvents();
    for (int i = 0; i < hashes.length; i++) {
      recent.put(hashes[i], i);
      int oldest = Math.max(0, i - REMEMBERED + 1);
      assertThat(recent.get(hashes[oldest]))
          .as("seed %d, %d at %d", seed, oldest, i)
          .isEqualTo(oldest);
      int between = oldest + (int) ((i - oldest) * 0.618);
      assertThat(recent.get(hashes[between]))
          .as("seed %d, %d at %d", seed, between, i)
          .isEqualTo(between);
      int gone = i - 2 * REMEMBERED;
      if (gone < 0) continue;
      assertThat(recent.get(hashes[gone]))
          .as("seed %d, %d at %d", seed, gone, i)
          .isEqualTo(KeyState.NOT_MET);
    }
  }

  @Test
  void theSameEventTakesUpOnePlaceAndItsLastInstantCounts() {
    RecentEvents recent = new RecentEvents();
    recent.put(4711, -1);
    for (int i = 0; i < 3 * REMEMBERED; i++) recent.put(42, i);
    assertThat(recent.get(42)).isEqualTo(3 * REMEMBERED - 1);
    assertThat(recent.get(4711)).isEqualTo(-1);
  }

  @Test
  void knowsNothingOfWhatItHasNotMet() {
    RecentEvents recent = new RecentEvents();
    assertThat(recent.get(0)).isEqualTo(KeyState.NOT_MET);
    recent.put(1, 10);
    assertThat(recent.get(2)).isEqualTo(KeyState.NOT_MET);
  }
}

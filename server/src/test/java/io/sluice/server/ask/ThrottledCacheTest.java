package io.sluice.server.ask;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class ThrottledCacheTest {
  private static final long WORK_MS = 50;

  private long nowMs = 1_000_000;
  private int made;

  private final ThrottledCache<String> kept =
      new ThrottledCache<>(
          () -> Instant.ofEpochMilli(nowMs),
          atMs -> {
            nowMs += WORK_MS;
            return "made " + ++made;
          });

  @Test
  void whoeverAsksAllTheTimeHasLittleOfAProcessor() {
    long beganMs = nowMs;
    for (int i = 0; i < 10_000; i++) {
      kept.value();
      nowMs++;
    }
    assertThat(made * WORK_MS).isBetween(1L, (nowMs - beganMs) / 20);
  }

  @Test
  void itIsMadeAnewAfterARestAndIfTheClockGoesBack() {
    assertThat(kept.value()).isEqualTo("made 1");
    nowMs += 20 * WORK_MS - 1;
    assertThat(kept.value()).isEqualTo("made 1");
    nowMs++;
    assertThat(kept.value()).isEqualTo("made 2");
    nowMs -= 1_000_000;
    assertThat(kept.value()).isEqualTo("made 3");
  }
}

package io.sluice.live.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReaderSettingsTest {
  private static Map<String, Object> limited(Map<String, Object> given) {
    Map<String, Object> settings = new HashMap<>(given);
    ReaderSettings.limitWaits(settings);
    return settings;
  }

  private static Map<String, Object> timeouts(int callMs, int requestMs) {
    return Map.of("default.api.timeout.ms", callMs, "request.timeout.ms", requestMs);
  }

  @Test
  void aLongerTimeoutIsShortenedAndAShorterOneStays() {
    assertThat(limited(Map.of())).isEqualTo(timeouts(15_000, 15_000));
    assertThat(limited(timeouts(60_000, 30_000))).isEqualTo(timeouts(15_000, 15_000));
    assertThat(limited(timeouts(60_000, 4_000))).isEqualTo(timeouts(15_000, 4_000));
    assertThat(limited(Map.of("default.api.timeout.ms", "3000"))).isEqualTo(timeouts(3_000, 3_000));
  }
}

package io.sluice.spring.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfiguredLimitsTest {
  @Test
  void aLimitThatCallsWithoutItsKeyPassWarnsOnce() {
    Map<String, String> settings =
        Map.of(
            "sluice.limit.page.quota", "5/60s",
            "sluice.limit.page.key", "userId,target",
            "sluice.limit.chosen.quota", "5/60s",
            "sluice.limit.chosen.key", "attributes.ip",
            "sluice.limit.chosen.key.missing", "skip",
            "sluice.limit.plain.quota", "5/60s");
    assertThat(new ConfiguredLimits(settings).warnings())
        .singleElement()
        .asString()
        .startsWith("sluice.limit.page.key.missing: not set, so the limit does not apply to events")
        .contains("without target,");
  }
}

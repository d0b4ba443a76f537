package io.sluice.topology.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitWordsTest {
  private static String words(String... settings) {
    String[] all = new String[settings.length + 3];
    all[0] = "sluice.limits=one";
    all[1] = "sluice.limit.one.quota=5/60s";
    all[2] = "sluice.limit.one.algorithm=sliding-window-log";
    System.arraycopy(settings, 0, all, 3, settings.length);
    SluiceConfig config = SluiceConfig.of(ConfigText.without(all));
    return String.join("  ", ConfigReport.words(config, config.limits().all().get(0)));
  }

  @ParameterizedTest
  @CsvSource({
    "target, action=reply, per target (all without target as one)",
    "attributes.ip, action=reply, per attributes.ip (all without attributes.ip as one)",
    "target, target=*, per target  ",
    "target, target=!x, per target (all without target as one)",
    "userId, action=reply, per userId  "
  })
  void eventsWithoutAFieldOfTheKeyShareACount(String key, String match, String words) {
    assertThat(words("sluice.limit.one.key=" + key, "sluice.limit.one.match." + match))
        .contains(words);
  }
}

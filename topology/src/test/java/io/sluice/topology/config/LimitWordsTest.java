package io.sluice.topology.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
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
  void eventsWithoutAFieldOfTheKeyMayShareACount(String key, String match, String words) {
    String choice = key.equals("userId") ? "exceeded=reject" : "key.missing=share";
    assertThat(
            words(
                "sluice.limit.one.key=" + key,
                "sluice.limit.one.match." + match,
                "sluice.limit.one." + choice))
        .contains(words);
  }

  @ParameterizedTest
  @CsvSource({
    "exceeded=reject, per target (events without target are not limited by it)  ",
    "key.missing=skip, per target (events without target are not limited by it)  ",
    "key.missing=reject, per target (events without target are rejected)  ",
    "match.target=*, per target  "
  })
  void theTreatmentOfEventsWithoutTheKeyIsTold(String setting, String words) {
    assertThat(words("sluice.limit.one.key=target", "sluice.limit.one." + setting)).contains(words);
  }

  @Test
  void distinctFieldsMayBeMissingToo() {
    String distinct = "sluice.limit.one.distinct=attributes.card";
    assertThat(words(distinct))
        .contains(" per userId (events without attributes.card are not limited by it)  ");
    assertThat(
            words(distinct, "sluice.limit.one.key.missing=reject", "sluice.limit.one.mode=shadow"))
        .contains(" per userId (events without attributes.card only reported)  ");
    assertThat(words(distinct, "sluice.limit.one.key.missing=share")).contains(" per userId  ");
  }
}

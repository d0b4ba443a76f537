package io.sluice.live;

import io.sluice.rules.event.FieldForms;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limits;
import io.sluice.rules.limit.Verdict.Duplicates;
import io.sluice.rules.settings.ConfigErrors;
import io.sluice.rules.settings.LimitParser;
import io.sluice.rules.settings.LimitTexts;
import io.sluice.rules.settings.LimitsConfig;
import io.sluice.rules.settings.RawSettings;
import io.sluice.rules.settings.RedisConfig;
import io.sluice.testing.SettingLines;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Limits for tests, as lines of a properties file. */
public final class LimitLines {
  private LimitLines() {}

  public static LimitsConfig of(String... lines) {
    Map<String, String> texts = SettingLines.put(new LinkedHashMap<>(), lines);
    RawSettings settings = new RawSettings(texts, new ConfigErrors(texts.keySet()));
    List<Limit> limits =
        Stream.of(texts.get("sluice.limits").split(","))
            .map(name -> LimitParser.readComplete(name, settings.forLimit(name)))
            .toList();
    settings.mistakes().throwIfAny();
    return new LimitsConfig(
        LimitTexts.of(settings, limits, List.of("user-actions")),
        Limits.of(limits, false, Duplicates.REJECT),
        new RedisConfig("", "sluice", Duration.ofMillis(50), Duration.ofMinutes(10)),
        FieldForms.AS_TYPED);
  }
}

package io.sluice.limiter.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Rule;
import io.sluice.limiter.config.ProgramSettings;
import io.sluice.rules.settings.LimitTexts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A limiter of the library and a limit of a stream are the same rule, by the same settings. In the
 * package of the limiter's reader, which is not public, but in this module, which knows both.
 */
class SameSettingsTest {
  private static final Map<String, List<String>> CANDIDATES =
      new TreeMap<>(
          Map.of(
              "quota",
              List.of(
                  "5/60s",
                  " 5/1m ",
                  "1_000,000/1h",
                  "10/PT2S",
                  "7/day",
                  "7/month",
                  "5/1d",
                  "0/1s",
                  "5",
                  "",
                  "5/3661d",
                  "99999999999/1s",
                  "2147483648/1s"),
              "burst",
              List.of("1", "9", " 20 ", "1_000", "0", "-1", "", "x", "2147483648", "2147483649"),
              "algorithm",
              List.of(
                  "funnel",
                  "sliding-window-log",
                  "sliding-window-counter",
                  "calendar-window",
                  " funnel ",
                  "Funnel",
                  ""),
              "zone",
              List.of("UTC", "Europe/Berlin", " Asia/Tokyo ", "Berlin", "", "GMT+2", "Z"),
              "block",
              List.of("1ms", "10m", " 1d ", "", " ", "0s", "3660d", "3661d", "PT1M", "soon"),
              "backend",
              List.of("redis", "state-store", " redis ", "REDIS", "memory", "")));

  static LongStream seeds() {
    return LongStream.range(0, 20);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theLibraryReadsALimitAsAStreamDoes(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 300; i++) {
      Map<String, String> settings = settings(random);
      Map<String, String> texts = new LinkedHashMap<>();
      settings.forEach((name, text) -> texts.put("sluice.limit.reply." + name, text));
      LimitTexts.Reading stream = LimitTexts.none().read("reply", settings);
      List<String> mistakes = new ArrayList<>();
      ProgramSettings own = new ProgramSettings(texts, mistakes);
      Rule rule = RuleReader.read("reply", own);
      boolean backendIsKnown =
          List.of("redis", "state-store")
              .contains(settings.getOrDefault("backend", "redis").trim());
      assertThat(mistakes.isEmpty() && backendIsKnown)
          .as("%s: %s, and for a stream %s", settings, mistakes, stream.mistakes())
          .isEqualTo(stream.mistakes().isEmpty());
      if (stream.mistakes().isEmpty()) {
        assertThat(rule).as("%s", settings).isEqualTo(stream.limit().rule());
      }
    }
  }

  private static Map<String, String> settings(SplittableRandom random) {
    Map<String, String> settings = new LinkedHashMap<>();
    CANDIDATES.forEach(
        (name, texts) -> {
          boolean given = name.equals("quota") ? random.nextInt(20) > 0 : random.nextInt(4) == 0;
          if (given) settings.put(name, texts.get(random.nextInt(texts.size())));
        });
    return settings;
  }
}

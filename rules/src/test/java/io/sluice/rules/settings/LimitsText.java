package io.sluice.rules.settings;

import io.sluice.rules.event.FieldForms;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limits;
import io.sluice.rules.limit.Verdict.Duplicates;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Limits for tests, as lines of a properties file. */
public final class LimitsText {
  private static final String LIMITS = "sluice.limits";
  private static final List<String> INPUTS = List.of("user-actions");
  private static final String URI = "sluice.redis.uri";

  private LimitsText() {}

  /** Returns a limit {@code reply} of 5/60s, changed by these lines. */
  public static LimitsConfig config(String... lines) {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put(LIMITS, "reply");
    texts.put("sluice.limit.reply.quota", "5/60s");
    return of(texts, List.of(lines));
  }

  /** Returns the limits of these lines. */
  public static LimitsConfig of(List<String> lines) {
    return of(new LinkedHashMap<>(), lines);
  }

  private static LimitsConfig of(Map<String, String> texts, List<String> lines) {
    for (String line : lines) texts.put(line.split("=", 2)[0], line.split("=", 2)[1]);
    RawSettings settings = new RawSettings(texts, new ConfigErrors(texts.keySet()));
    List<Limit> limits =
        Stream.of(texts.get(LIMITS).split(","))
            .map(name -> LimitParser.readComplete(name, settings.forLimit(name)))
            .toList();
    settings.mistakes().throwIfAny();
    RedisConfig redis =
        new RedisConfig(
            texts.getOrDefault(URI, ""), "sluice", Duration.ofMillis(50), Duration.ofMinutes(10));
    return new LimitsConfig(
        LimitTexts.of(settings, limits, INPUTS),
        Limits.of(limits, false, Duplicates.REJECT),
        redis,
        FieldForms.AS_TYPED);
  }
}

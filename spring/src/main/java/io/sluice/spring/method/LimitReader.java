package io.sluice.spring.method;

import io.sluice.limiter.Rule;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.Backend;
import io.sluice.rules.limit.Limit.Exceeded;
import io.sluice.rules.limit.Limit.RedisUnavailable;
import io.sluice.rules.limit.LimitKey;
import io.sluice.rules.limit.Match;
import io.sluice.rules.settings.LimitTexts;
import io.sluice.spring.RateLimit;
import io.sluice.spring.settings.ForCalls;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the limit that a {@link RateLimit} annotation defines or names, and rejects invalid
 * combinations of its attributes.
 */
final class LimitReader {
  private static final LimitKey ONE_VALUE = new LimitKey(List.of(Field.USER_ID));

  private final Map<String, Limit> configured;

  /**
   * @param configured limits in the application's configuration, by name
   */
  LimitReader(Map<String, Limit> configured) {
    this.configured = configured;
  }

  /**
   * Returns the limit that an annotation defines or names.
   *
   * @param unique name for a limit whose numbers are in the annotation, different for each
   *     annotation
   * @throws IllegalArgumentException if the annotation is wrong; the message has one line for each
   *     mistake
   */
  Limit read(RateLimit annotation, String unique) {
    boolean inPlace = !annotation.quota().isEmpty();
    boolean plain = annotation.period() != 0 || annotation.threshold() != 0;
    boolean named = !annotation.limit().isEmpty();
    if ((inPlace ? 1 : 0) + (plain ? 1 : 0) + (named ? 1 : 0) != 1) {
      throw new IllegalArgumentException(
          "set exactly one of limit, quota, or period with threshold");
    }
    boolean refined = annotation.burst() != 0 || !annotation.algorithm().isEmpty();
    if (refined && !inPlace) {
      throw new IllegalArgumentException("burst and algorithm only apply with quota");
    }
    return named ? named(annotation.limit()) : inPlace(settings(annotation, plain), unique);
  }

  private Limit named(String name) {
    Limit limit = configured.get(name);
    if (limit == null) throw new IllegalArgumentException("limit=" + name + ": " + unknown(name));
    Optional<String> problem = ForCalls.problem(limit);
    if (problem.isEmpty()) return limit;
    throw new IllegalArgumentException("limit=" + name + ": " + problem.get());
  }

  private String unknown(String name) {
    if (configured.isEmpty()) return "no sluice.limit.N.quota is configured";
    return "not configured; did you mean " + LimitTexts.nearest(name, configured.keySet()) + "?";
  }

  private static Map<String, String> settings(RateLimit annotation, boolean plain) {
    Map<String, String> settings = new LinkedHashMap<>();
    if (plain) {
      if (annotation.period() < 1 || annotation.threshold() < 1) {
        throw new IllegalArgumentException("period (seconds) and threshold must be at least 1");
      }
      settings.put("quota", annotation.threshold() + "/" + annotation.period() + "s");
      settings.put("algorithm", "sliding-window-log");
      return settings;
    }
    settings.put("quota", annotation.quota());
    if (annotation.burst() != 0) settings.put("burst", Long.toString(annotation.burst()));
    if (!annotation.algorithm().isEmpty()) settings.put("algorithm", annotation.algorithm());
    return settings;
  }

  private static Limit inPlace(Map<String, String> settings, String unique) {
    LimitTexts.Reading reading = LimitTexts.none().read("N", settings);
    if (!reading.mistakes().isEmpty()) {
      throw new IllegalArgumentException(
          String.join("\n", reading.mistakes()).replace("sluice.limit.N.", ""));
    }
    Rule rule = reading.limit().rule();
    return new Limit(
        Rule.policing(unique, rule.quota(), rule.algorithm()),
        Match.ALL,
        ONE_VALUE,
        List.of(),
        Backend.STATE_STORE,
        new Exceeded.Reject(),
        RedisUnavailable.STATE_STORE);
  }
}

package io.sluice.limiter.registry;

import static java.util.stream.Collectors.joining;

import io.sluice.limiter.PlainText;
import io.sluice.limiter.Rule;
import io.sluice.limiter.config.ProgramSettings;
import io.sluice.limiter.redis.RedisSettings;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Settings of a program's limiters. They have the names and defaults of the settings of a stream's
 * limits, as far as those apply to a call with a key.
 *
 * @param redis settings of the access to Redis, for limits on Redis; present if the URI is
 *     configured
 */
record LimiterSettings(Map<String, Limit> limits, Optional<RedisSettings> redis) {
  private static final String OWN = "sluice.";
  private static final String UNKNOWN = ": unknown, or only for a stream; accepted are ";
  private static final Set<String> OF_A_LIMIT =
      new TreeSet<>(Set.of("quota", "burst", "algorithm", "zone", "block", "backend"));
  private static final Pattern KEY =
      Pattern.compile("sluice\\.limit\\.([A-Za-z0-9_-]+)\\.(.+)", Pattern.DOTALL);

  /** Rule of a limit, and whether its keys are counted in Redis instead of in this process. */
  record Limit(Rule rule, boolean onRedis) {}

  /**
   * Reads the settings. Keys that do not begin with {@code sluice.} are ignored.
   *
   * @throws IllegalArgumentException if there are mistakes; the message has one line for each
   */
  static LimiterSettings read(Map<String, String> given) {
    List<String> mistakes = new ArrayList<>();
    ProgramSettings texts = new ProgramSettings(new TreeMap<>(given), mistakes);
    Map<String, Limit> limits = new TreeMap<>();
    for (String name : names(given, mistakes)) limits.put(name, limit(name, texts));
    String listed = given.getOrDefault(ProgramSettings.LIMITS, "").trim();
    texts.checkList(
        Stream.of(listed.split("\\s*,\\s*")).filter(name -> !name.isEmpty()).toList(),
        limits.keySet());
    Optional<RedisSettings> redis =
        texts.redis(
            RedisSettings::of,
            limits.keySet().stream().filter(name -> limits.get(name).onRedis()).toList());
    if (mistakes.isEmpty()) return new LimiterSettings(limits, redis);
    throw new IllegalArgumentException(
        mistakes.stream().map(PlainText::message).collect(joining("\n")));
  }

  /** Returns the names of limits that have settings; records every unknown key as a mistake. */
  private static Set<String> names(Map<String, String> given, List<String> mistakes) {
    Set<String> names = new LinkedHashSet<>();
    for (String key : new TreeSet<>(given.keySet())) {
      Matcher ofLimit = KEY.matcher(key);
      if (ofLimit.matches()) {
        names.add(ofLimit.group(1));
        if (!OF_A_LIMIT.contains(ofLimit.group(2))) {
          mistakes.add(key + UNKNOWN + String.join(", ", OF_A_LIMIT));
        }
      } else if (key.startsWith(OWN) && !ProgramSettings.COMMON.contains(key)) {
        String common = String.join(", ", new TreeSet<>(ProgramSettings.COMMON));
        mistakes.add(key + UNKNOWN + common + " and sluice.limit.N.*");
      }
    }
    return names;
  }

  private static Limit limit(String name, ProgramSettings texts) {
    boolean onRedis =
        texts
            .find(
                "sluice.limit." + name + ".backend",
                "accepted are state-store (in this process), redis",
                LimiterSettings::isRedis)
            .orElse(false);
    return new Limit(RuleReader.read(name, texts), onRedis);
  }

  private static boolean isRedis(String text) {
    if (!text.equals("redis") && !text.equals("state-store")) {
      throw new IllegalArgumentException(text);
    }
    return text.equals("redis");
  }
}

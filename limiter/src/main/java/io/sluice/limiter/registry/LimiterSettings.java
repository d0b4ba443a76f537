package io.sluice.limiter.registry;

import io.sluice.limiter.Rule;
import io.sluice.limiter.redis.RedisSettings;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Settings of a program's limiters. They have the names and defaults of the settings of a stream's
 * limits, as far as those apply to a call with a key.
 *
 * @param redis settings of the access to Redis, for limits on Redis; present if the URI is
 *     configured
 */
record LimiterSettings(Map<String, Limit> limits, Optional<RedisSettings> redis) {
  private static final String OWN = "sluice.";
  private static final String LIMITS = "sluice.limits";
  private static final String URI = "sluice.redis.uri";
  private static final String PREFIX = "sluice.redis.key.prefix";
  private static final String TIMEOUT = "sluice.redis.timeout";
  private static final String GRACE = "sluice.redis.expiry.grace";
  private static final Set<String> COMMON =
      new TreeSet<>(Set.of(LIMITS, URI, PREFIX, TIMEOUT, GRACE));
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
    Texts texts = new Texts(given);
    Map<String, Limit> limits = new TreeMap<>();
    for (String name : names(texts)) limits.put(name, limit(name, texts));
    checkList(limits.keySet(), texts);
    Optional<RedisSettings> redis = redis(texts);
    checkRedis(limits, texts);
    if (texts.mistakes().isEmpty()) return new LimiterSettings(limits, redis);
    throw new IllegalArgumentException(String.join("\n", texts.mistakes()));
  }

  /** Returns the names of limits that have settings; records every unknown key as a mistake. */
  private static Set<String> names(Texts texts) {
    Set<String> names = new LinkedHashSet<>();
    for (String key : texts.keys()) {
      Matcher ofLimit = KEY.matcher(key);
      if (ofLimit.matches()) {
        names.add(ofLimit.group(1));
        if (!OF_A_LIMIT.contains(ofLimit.group(2))) {
          texts.mistake(
              key
                  + ": unknown, or only for a stream; accepted are "
                  + String.join(", ", OF_A_LIMIT));
        }
      } else if (key.startsWith(OWN) && !COMMON.contains(key)) {
        texts.mistake(
            key
                + ": unknown, or only for a stream; accepted are "
                + String.join(", ", COMMON)
                + " and sluice.limit.N.*");
      }
    }
    return names;
  }

  private static Limit limit(String name, Texts texts) {
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

  /**
   * Checks the setting with the list of limits. The list is optional, but if present it must name
   * exactly the limits that have settings, as for a stream.
   */
  private static void checkList(Set<String> names, Texts texts) {
    List<String> listed =
        texts.find(LIMITS, "", text -> List.of(text.split("\\s*,\\s*"))).orElse(List.of());
    for (String name : listed) {
      if (!name.isEmpty() && !names.contains(name)) {
        texts.refuse(LIMITS, "limit " + name + " has no settings");
      }
    }
    if (!texts.has(LIMITS)) return;
    for (String name : names) {
      if (!listed.contains(name)) texts.refuse(LIMITS, "limit " + name + " is not listed");
    }
  }

  private static Optional<RedisSettings> redis(Texts texts) {
    String prefix =
        texts
            .find(PREFIX, "1 to 64 letters, digits, ., _, : and -", LimiterSettings::prefix)
            .orElse("sluice");
    Duration timeout =
        texts
            .find(
                TIMEOUT,
                "milliseconds or a period, 1ms to 10s",
                text -> Periods.between(text.matches("[0-9]+") ? text + "ms" : text, "1ms", "10s"))
            .orElse(Duration.ofMillis(50));
    Duration grace =
        texts
            .find(GRACE, "a period, 0s to 3660d", text -> Periods.between(text, "0s", "3660d"))
            .orElse(Duration.ofMinutes(10));
    return texts
        .find(URI, "", RedisSettings::of)
        .map(all -> all.withKeyPrefix(prefix).withTimeout(timeout).withGrace(grace));
  }

  private static String prefix(String text) {
    if (!text.matches("[A-Za-z0-9._:-]{1,64}")) throw new IllegalArgumentException(text);
    return text;
  }

  private static void checkRedis(Map<String, Limit> limits, Texts texts) {
    List<String> remote =
        limits.keySet().stream().filter(name -> limits.get(name).onRedis()).toList();
    if (remote.isEmpty() || texts.has(URI)) return;
    texts.mistake(
        URI
            + ": missing; needed by limits on redis: "
            + String.join(", ", remote)
            + "; such as redis://localhost:6379");
  }
}

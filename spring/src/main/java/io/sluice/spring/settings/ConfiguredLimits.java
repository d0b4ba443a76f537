package io.sluice.spring.settings;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.sluice.limiter.config.ProgramSettings;
import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisSettings;
import io.sluice.live.kafka.FollowedTopic;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.Backend;
import io.sluice.rules.limit.Limit.RedisUnavailable;
import io.sluice.rules.limit.OptionalKey;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.settings.LimitTexts;
import io.sluice.rules.settings.RedisConfig;
import io.sluice.rules.settings.Setting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Limits and settings for Redis in the application's configuration, with the keys of a standalone
 * Sluice application. Mistakes are collected, and reported together with those of annotations.
 */
public final class ConfiguredLimits {
  private static final Logger LOG = LoggerFactory.getLogger(ConfiguredLimits.class);
  private static final String KEY_MISSING = "key.missing";
  private static final String UNAVAILABLE = "redis.unavailable";
  static final Set<String> COMMON =
      Stream.of(ProgramSettings.COMMON, ConfiguredCluster.KEYS)
          .flatMap(Set::stream)
          .collect(toUnmodifiableSet());

  private static final RedisConfig NO_REDIS =
      new RedisConfig("", "sluice", Duration.ofMillis(50), Duration.ofMinutes(10));

  private static final Pattern OF_LIMIT =
      Pattern.compile("sluice\\.limit\\.([A-Za-z0-9_-]+)\\.(.+)");

  private final Map<String, String> texts;
  private final Map<String, Limit> limits = new TreeMap<>();
  private final List<String> mistakes = new ArrayList<>();
  private final Map<String, Map<String, String>> read = new TreeMap<>();
  private final RedisConfig redis;
  private final Optional<FollowedTopic> followed;

  /** Reads the limits from all property sources of an application. */
  public static ConfiguredLimits of(Environment environment) {
    ConfiguredLimits limits = new ConfiguredLimits(SluiceSettings.of(environment));
    limits.warnings().forEach(LOG::warn);
    return limits;
  }

  /**
   * @param texts values of the settings by key; all keys begin with {@code sluice.}
   */
  ConfiguredLimits(Map<String, String> texts) {
    this.texts = texts;
    Map<String, Map<String, String>> settings = settings();
    settings.forEach(this::read);
    redis = readForAll(settings.keySet());
    followed = ConfiguredCluster.read(texts, mistakes);
  }

  /** Returns the configured limits by name. */
  public Map<String, Limit> limits() {
    return limits;
  }

  /** Returns the settings for Redis; without a URI if none is configured. */
  public RedisConfig redis() {
    return redis;
  }

  /**
   * Returns the topic from which to read revisions (dated changes of limits) continuously; empty if
   * no topic is configured, live changes are off, or there are no limits.
   */
  public Optional<FollowedTopic> followed() {
    return limits.isEmpty() ? Optional.empty() : followed;
  }

  /**
   * Returns the limits as configured, to which revisions (dated changes) will be applied; without
   * any limit if the configuration has mistakes, since the application then does not start.
   */
  public LimitsInForce written() {
    Map<String, Map<String, String>> sound = mistakes.isEmpty() ? read : Map.of();
    return LimitsInForce.ofProgram(sound, redis, ForCalls::isOfEvents, ForCalls::refusal);
  }

  /** Returns a line for each limit that calls without its key pass, if no setting chooses that. */
  List<String> warnings() {
    return limits.values().stream()
        .filter(limit -> !read.get(limit.name()).containsKey(KEY_MISSING))
        .flatMap(
            limit ->
                OptionalKey.warning(limit)
                    .map(line -> Setting.limitPrefix(limit.name()) + KEY_MISSING + ": " + line)
                    .stream())
        .toList();
  }

  /** Returns the mistakes in the settings, one line each. */
  public List<String> mistakes() {
    return mistakes;
  }

  /**
   * Returns the settings of each limit, by the part of the key after the limit's name, such as
   * {@code quota}. Reports unknown keys as mistakes.
   */
  private Map<String, Map<String, String>> settings() {
    Map<String, Map<String, String>> settings = new LinkedHashMap<>();
    texts.forEach(
        (key, text) -> {
          Matcher ofLimit = OF_LIMIT.matcher(key);
          if (ofLimit.matches()) {
            settings
                .computeIfAbsent(ofLimit.group(1), name -> new LinkedHashMap<>())
                .put(ofLimit.group(2), text);
          } else if (!COMMON.contains(key) && !ConfiguredCluster.isKey(key)) {
            mistakes.add(key + ": " + unknown());
          }
        });
    return settings;
  }

  private static String unknown() {
    return "unknown, or only for a stream; accepted are "
        + String.join(", ", COMMON.stream().sorted().toList())
        + ", sluice.limit.N.*, and settings of Kafka's consumers with the prefix sluice.";
  }

  private void read(String name, Map<String, String> given) {
    for (String setting : given.keySet()) {
      LimitTexts.unknown(name, setting, List.of()).ifPresent(mistakes::add);
    }
    Map<String, String> settings = new LinkedHashMap<>(given);
    if (given.getOrDefault("backend", "").trim().equals("redis")) {
      settings.putIfAbsent(UNAVAILABLE, "state-store");
    }
    LimitTexts.Reading reading = LimitTexts.none().read(name, settings);
    mistakes.addAll(reading.mistakes());
    Limit limit = reading.limit();
    if (limit.backend() == Backend.REDIS && limit.redisUnavailable() == RedisUnavailable.WAIT) {
      String problem = "a call cannot wait for Redis; accepted are allow, reject, state-store";
      mistakes.add(LimitTexts.mistake(name, UNAVAILABLE, "wait", problem));
    }
    limits.put(name, limit);
    read.put(name, settings);
  }

  /**
   * Checks the list of limits, and reads the settings for Redis; without a URI if none is
   * configured.
   */
  private RedisConfig readForAll(Set<String> named) {
    Map<String, String> all = new LinkedHashMap<>(texts);
    Set<String> listed =
        StringUtils.commaDelimitedListToSet(
            texts.getOrDefault(ProgramSettings.LIMITS, "").replace(" ", ""));
    all.computeIfPresent(ProgramSettings.LIMITS, (key, text) -> String.join(",", listed));
    ProgramSettings settings = new ProgramSettings(all, mistakes);
    settings.checkList(listed, named);
    List<String> remote =
        limits.values().stream()
            .filter(limit -> limit.backend() == Backend.REDIS)
            .map(Limit::name)
            .toList();
    return settings
        .redis(ConfiguredLimits::ofUri, remote)
        .map(one -> new RedisConfig(one.uri(), one.keyPrefix(), one.timeout(), one.grace()))
        .orElse(NO_REDIS);
  }

  private static RedisSettings ofUri(String text) {
    RedisSettings settings = RedisSettings.of(text);
    try {
      new RedisMeter(settings).close(); // checks the URI without connecting
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    return settings;
  }
}

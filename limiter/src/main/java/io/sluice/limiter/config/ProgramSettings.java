package io.sluice.limiter.config;

import io.sluice.limiter.redis.RedisSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Settings of a program that calls limiters, as texts by their keys. Reads the settings that apply
 * to all limits: the list of limits, and the access to Redis. Not thread-safe.
 */
public final class ProgramSettings {
  /** Key of the optional list of limits. */
  public static final String LIMITS = "sluice.limits";

  private static final String URI = "sluice.redis.uri";
  private static final String PREFIX = "sluice.redis.key.prefix";
  private static final String TIMEOUT = "sluice.redis.timeout";
  private static final String GRACE = "sluice.redis.expiry.grace";

  /** Keys of the settings that apply to all limits. */
  public static final Set<String> COMMON = Set.of(LIMITS, URI, PREFIX, TIMEOUT, GRACE);

  private final Map<String, String> texts;
  private final List<String> mistakes;

  /**
   * Creates a reader of these texts.
   *
   * @param mistakes receives a line for each mistake, in the order in which they are found
   */
  public ProgramSettings(Map<String, String> texts, List<String> mistakes) {
    this.texts = texts;
    this.mistakes = mistakes;
  }

  /** Whether there is a setting with this key. */
  public boolean has(String key) {
    return texts.containsKey(key);
  }

  /**
   * Reads a setting; empty if the setting is absent or cannot be read, which is recorded as a
   * mistake.
   */
  public <T> Optional<T> find(String key, SettingFormat<T> format) {
    return find(key, format.accepted(), format.reader());
  }

  /**
   * Reads a setting; empty if the setting is absent or cannot be read, which is recorded as a
   * mistake.
   *
   * @param accepted description of the accepted texts, for the mistake; empty to use the message of
   *     the reader's exception, which must contain no password
   */
  public <T> Optional<T> find(String key, String accepted, Function<String, T> reader) {
    if (!has(key)) return Optional.empty();
    try {
      return Optional.of(reader.apply(texts.get(key).trim()));
    } catch (IllegalArgumentException e) {
      if (accepted.isEmpty()) mistakes.add(key + ": " + e.getMessage());
      else refuse(key, accepted);
      return Optional.empty();
    }
  }

  /** Records the text of this key as a mistake. */
  public void refuse(String key, String problem) {
    mistakes.add(key + "=" + texts.get(key) + ": " + problem);
  }

  /** Records a setting that is absent as a mistake. */
  public void missing(String key, String problem) {
    mistakes.add(key + ": missing; " + problem);
  }

  /**
   * Checks that the list of limits, if there is one, names exactly the limits that have settings,
   * as for a stream.
   *
   * @param listed names in the list
   * @param names names of the limits that have settings
   */
  public void checkList(Collection<String> listed, Collection<String> names) {
    if (!has(LIMITS)) return;
    for (String name : listed) {
      if (!names.contains(name)) refuse(LIMITS, "limit " + name + " has no settings");
    }
    for (String name : names) {
      if (!listed.contains(name)) refuse(LIMITS, "limit " + name + " is not listed");
    }
  }

  /**
   * Reads the settings of the access to Redis; empty without a valid URI, which is a mistake if
   * there are limits on Redis.
   *
   * @param uri creates the settings for a URI; its exceptions must contain no password
   * @param remote names of the limits on Redis
   */
  public Optional<RedisSettings> redis(
      Function<String, RedisSettings> uri, Collection<String> remote) {
    Optional<RedisSettings> redis = find(URI, "", uri);
    String prefix = find(PREFIX, SettingFormat.REDIS_KEY_PREFIX).orElse("sluice");
    Duration timeout = find(TIMEOUT, SettingFormat.REDIS_TIMEOUT).orElse(Duration.ofMillis(50));
    Duration grace = find(GRACE, SettingFormat.REDIS_EXPIRY_GRACE).orElse(Duration.ofMinutes(10));
    if (!remote.isEmpty() && !has(URI)) {
      missing(
          URI,
          "needed by limits on redis: "
              + String.join(", ", remote)
              + "; such as redis://localhost:6379");
    }
    return redis.map(all -> all.withKeyPrefix(prefix).withTimeout(timeout).withGrace(grace));
  }
}

package io.sluice.spring.settings;

import io.sluice.limiter.Quota;
import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisSettings;
import io.sluice.rules.settings.RedisConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Reads the settings for Redis from the application's configuration, with the keys and defaults of
 * a standalone Sluice application.
 */
final class ConfiguredRedis {
  static final String URI = "sluice.redis.uri";
  static final String PREFIX = "sluice.redis.key.prefix";
  static final String TIMEOUT = "sluice.redis.timeout";
  static final String GRACE = "sluice.redis.expiry.grace";

  private static final Pattern PREFIXES = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

  private final Map<String, String> texts;
  private final List<String> mistakes;

  private ConfiguredRedis(Map<String, String> texts, List<String> mistakes) {
    this.texts = texts;
    this.mistakes = mistakes;
  }

  /**
   * Reads the settings for Redis; the URI is empty if it is not configured.
   *
   * @param mistakes receives a line for each mistake
   */
  static RedisConfig read(Map<String, String> texts, List<String> mistakes) {
    return new ConfiguredRedis(texts, mistakes).read();
  }

  private RedisConfig read() {
    String uri = read(URI, "", "", ConfiguredRedis::uri);
    String prefix =
        read(PREFIX, "sluice", "1 to 64 letters, digits, ., _, : and -", ConfiguredRedis::prefix);
    Duration timeout =
        read(
            TIMEOUT,
            Duration.ofMillis(50),
            "milliseconds or a period, 1ms to 10s",
            text -> period(text.matches("[0-9]+") ? text + "ms" : text, 1, 10_000));
    Duration grace =
        read(
            GRACE,
            Duration.ofMinutes(10),
            "a period, 0s to 3660d",
            text -> period(text, 0, Duration.ofDays(3660).toMillis()));
    return new RedisConfig(uri, prefix, timeout, grace);
  }

  /**
   * Reads one setting; a mistake is collected, and the default returned.
   *
   * @param accepted description of valid values; if it is empty, the mistake is the message of the
   *     reader's exception, without the value, which may contain a password
   */
  private <T> T read(String key, T byDefault, String accepted, Function<String, T> reader) {
    String text = texts.get(key);
    if (text == null) return byDefault;
    try {
      return reader.apply(text.trim());
    } catch (IllegalArgumentException e) {
      mistakes.add(
          accepted.isEmpty() ? key + ": " + e.getMessage() : key + "=" + text + ": " + accepted);
      return byDefault;
    }
  }

  private static String uri(String text) {
    RedisSettings settings = RedisSettings.of(text);
    try {
      new RedisMeter(settings).close(); // checks the URI without connecting
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    return settings.uri();
  }

  private static String prefix(String text) {
    if (!PREFIXES.matcher(text).matches()) throw new IllegalArgumentException(text);
    return text;
  }

  private static Duration period(String text, long leastMs, long mostMs) {
    Duration period = Quota.parsePeriod(text);
    boolean within =
        period.compareTo(Duration.ofMillis(leastMs)) >= 0
            && period.compareTo(Duration.ofMillis(mostMs)) <= 0;
    if (!within) throw new IllegalArgumentException(text);
    return period;
  }
}

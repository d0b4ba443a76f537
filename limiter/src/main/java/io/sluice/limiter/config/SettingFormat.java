package io.sluice.limiter.config;

import static java.util.stream.Collectors.joining;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Quota;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Format of a setting: the texts that it accepts, and how to parse them.
 *
 * @param accepted description of the texts
 * @param reader parses a text without spaces around it; for any other text throws an
 *     IllegalArgumentException that says what is accepted
 */
public record SettingFormat<T>(String accepted, Function<String, T> reader) {
  /** Format of a limit's quota. */
  public static final SettingFormat<Quota> QUOTA =
      new SettingFormat<>("permits/period", text -> quoted(text, Quota::parse));

  /** Format of the permits that an idle key may use at once. */
  public static final SettingFormat<Long> BURST =
      count(Quota.MOST_PERMITS, "burst must be 1 to " + Quota.MOST_PERMITS);

  /** Format of the time zone of a quota for a period of the calendar. */
  public static final SettingFormat<ZoneId> ZONE = new SettingFormat<>(Zones.ACCEPTED, Zones::read);

  /** Format of the time for which a key over the limit is blocked; nothing is no block. */
  public static final SettingFormat<Duration> BLOCK = orNothing(period("1ms", "3660d"));

  /** Format of the timeout of Redis. */
  public static final SettingFormat<Duration> REDIS_TIMEOUT = millis("1ms", "10s");

  /** Format of the first part of all keys in Redis. */
  public static final SettingFormat<String> REDIS_KEY_PREFIX =
      text("1 to 64 letters, digits, ., _, : and -", text -> text.matches("[A-Za-z0-9._:-]{1,64}"));

  /** Format of the time for which a key in Redis is kept after it is needed. */
  public static final SettingFormat<Duration> REDIS_EXPIRY_GRACE = period("0s", "3660d");

  /** Returns the format of the names of some algorithms. */
  public static SettingFormat<Algorithm> algorithm(List<Algorithm> choices) {
    return choice(choices, SettingFormat::nameOf);
  }

  /** Returns the name of an algorithm as users write it in the configuration. */
  public static String nameOf(Algorithm algorithm) {
    return switch (algorithm) {
      case GCRA -> "funnel";
      case DISTINCT_LOG -> nameOf(Algorithm.SLIDING_WINDOW_LOG);
      default -> algorithm.name().toLowerCase(Locale.ROOT).replace('_', '-');
    };
  }

  /** Returns the format of the names of some values. */
  public static <T> SettingFormat<T> choice(List<T> values, Function<T, String> nameOf) {
    String names = values.stream().map(nameOf).collect(joining(", "));
    return new SettingFormat<>(
        names,
        text ->
            values.stream()
                .filter(value -> nameOf.apply(value).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("accepted are " + names)));
  }

  /** Returns the format of texts that are not parsed any further. */
  public static SettingFormat<String> text(String accepted, Predicate<String> legal) {
    return new SettingFormat<>(
        accepted,
        text -> {
          require(legal.test(text), accepted);
          return text;
        });
  }

  /**
   * Returns the format of whole numbers from 1 to {@code most}, whose digits may be separated by _
   * or a comma.
   */
  public static SettingFormat<Long> count(long most) {
    return count(most, "accepted are 1 to " + most);
  }

  private static SettingFormat<Long> count(long most, String problem) {
    return new SettingFormat<>(
        "1 to " + most,
        text -> {
          long count = quoted(text, Quota::parsePermits);
          require(count >= 1 && count <= most, problem);
          return count;
        });
  }

  /** Returns the format of durations from {@code least} to {@code most}. */
  public static SettingFormat<Duration> period(String least, String most) {
    return new SettingFormat<>(
        "a period, " + least + " to " + most,
        text -> {
          Duration period = quoted(text, Quota::parsePeriod);
          boolean within =
              period.compareTo(Quota.parsePeriod(least)) >= 0
                  && period.compareTo(Quota.parsePeriod(most)) <= 0;
          require(within, "a period is " + least + " to " + most + " here");
          return period;
        });
  }

  private static SettingFormat<Duration> orNothing(SettingFormat<Duration> period) {
    return new SettingFormat<>(
        period.accepted + ", or nothing",
        text -> text.isEmpty() ? Duration.ZERO : period.reader.apply(text));
  }

  /**
   * Returns the format of durations from {@code least} to {@code most}; a number without a unit is
   * milliseconds.
   */
  public static SettingFormat<Duration> millis(String least, String most) {
    SettingFormat<Duration> period = period(least, most);
    return new SettingFormat<>(
        "milliseconds or a period, " + least + " to " + most,
        text -> period.reader.apply(text.matches("[0-9]+") ? text + "ms" : text));
  }

  /**
   * Parses a text and removes it from the message of a failure, since the report of the mistake
   * shows the text already.
   */
  private static <T> T quoted(String text, Function<String, T> reader) {
    try {
      return reader.apply(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(e.getMessage().split(": ", 2)[0], e);
    }
  }

  private static void require(boolean condition, String problem) {
    if (!condition) throw new IllegalArgumentException(problem);
  }

  /** Parses a text; spaces around it are ignored. */
  public T read(String text) {
    return reader.apply(text.trim());
  }
}

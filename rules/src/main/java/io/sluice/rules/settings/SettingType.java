package io.sluice.rules.settings;

import static java.util.stream.Collectors.joining;

import io.sluice.limiter.Quota;
import io.sluice.rules.event.Keys;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * Type of a setting: the texts that it accepts, and how to parse them.
 *
 * @param accepted description of the texts
 * @param reader parses a text; for any other text throws an IllegalArgumentException that says what
 *     is accepted
 */
public record SettingType<T>(ConfigDef.Type type, String accepted, Function<String, T> reader)
    implements ConfigDef.Validator {

  public static final SettingType<Boolean> BOOLEAN =
      choice(ConfigDef.Type.BOOLEAN, List.of(true, false), String::valueOf);

  /** Returns the type of texts that match a regular expression as a whole. */
  public static SettingType<String> text(String accepted, String pattern) {
    return text(accepted, Pattern.compile(pattern).asMatchPredicate());
  }

  public static SettingType<String> text(String accepted, Predicate<String> legal) {
    return new SettingType<>(
        ConfigDef.Type.STRING,
        accepted,
        text -> {
          require(legal.test(text), accepted);
          return text;
        });
  }

  /** Returns the type of enum constants, which are named in lower case with dashes. */
  public static <E extends Enum<E>> SettingType<E> oneOf(Class<E> constants) {
    return oneOf(Arrays.asList(constants.getEnumConstants()), Keys::nameOf);
  }

  public static <E extends Enum<E>> SettingType<E> oneOf(
      List<E> constants, Function<E, String> nameOf) {
    return choice(ConfigDef.Type.STRING, constants, nameOf);
  }

  /** Type with two accepted names, parsed as false for the first and true for the second. */
  public static SettingType<Boolean> either(String no, String yes) {
    return choice(ConfigDef.Type.STRING, List.of(false, true), second -> second ? yes : no);
  }

  private static <T> SettingType<T> choice(
      ConfigDef.Type type, List<T> values, Function<T, String> nameOf) {
    String names = values.stream().map(nameOf).collect(joining(", "));
    return new SettingType<>(
        type,
        names,
        text ->
            values.stream()
                .filter(value -> nameOf.apply(value).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("accepted are " + names)));
  }

  /** Type of whole numbers from {@code least} to {@code most}. */
  public static SettingType<Integer> number(ConfigDef.Type type, int least, int most) {
    String accepted =
        most == Integer.MAX_VALUE
            ? "a whole number, at least " + least
            : "a whole number, " + least + " to " + most;
    return new SettingType<>(
        type,
        accepted,
        text -> {
          int number = number(text, accepted);
          require(number >= least && number <= most, accepted);
          return number;
        });
  }

  private static int number(String text, String accepted) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(accepted, e);
    }
  }

  /** Type of decimal fractions from {@code least} to {@code most}. */
  static SettingType<Double> share(double least, double most) {
    String accepted = "a number, " + plain(least) + " to " + plain(most);
    return new SettingType<>(
        ConfigDef.Type.DOUBLE,
        accepted,
        text -> {
          boolean number = text.matches("[0-9]{0,9}(\\.[0-9]{0,18})?") && text.matches(".*[0-9].*");
          require(number, accepted);
          double share = Double.parseDouble(text);
          require(share >= least && share <= most, accepted);
          return share;
        });
  }

  private static String plain(double number) {
    return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }

  /** Type of whole numbers from 1 to {@code most}; digits may be separated by _ or a comma. */
  static SettingType<Long> count(long most) {
    String accepted = "1 to " + most;
    return new SettingType<>(
        ConfigDef.Type.STRING,
        accepted,
        text -> {
          long count = quoted(text, Quota::parsePermits);
          require(count >= 1 && count <= most, "accepted are " + accepted);
          return count;
        });
  }

  /** Type of decimal fractions from 0 to 1. */
  static SettingType<Double> share() {
    String accepted = "a number, 0 to 1";
    return new SettingType<>(
        ConfigDef.Type.DOUBLE,
        accepted,
        text -> {
          require(text.matches("[0-9.]{1,18}"), accepted);
          try {
            double share = Double.parseDouble(text);
            require(share <= 1, accepted);
            return share;
          } catch (NumberFormatException e) {
            throw new IllegalArgumentException(accepted, e);
          }
        });
  }

  /** Type of durations from {@code least} to {@code most}. */
  public static SettingType<Duration> period(String least, String most) {
    return new SettingType<>(
        ConfigDef.Type.STRING,
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

  /** Type of durations from {@code least} to {@code most}; an empty text is zero. */
  static SettingType<Duration> optionalPeriod(String least, String most) {
    SettingType<Duration> period = period(least, most);
    return new SettingType<>(
        ConfigDef.Type.STRING,
        period.accepted + ", or nothing",
        text -> text.isEmpty() ? Duration.ZERO : period.read(text));
  }

  /**
   * Type of durations from {@code least} to {@code most}; a number without a unit is milliseconds.
   */
  public static SettingType<Duration> millis(String least, String most) {
    SettingType<Duration> period = period(least, most);
    return new SettingType<>(
        ConfigDef.Type.STRING,
        "milliseconds or a period, " + least + " to " + most,
        text -> period.read(text.matches("[0-9]+") ? text + "ms" : text));
  }

  static SettingType<Quota> quota() {
    return new SettingType<>(
        ConfigDef.Type.STRING, "permits/period", text -> quoted(text, Quota::parse));
  }

  static SettingType<Long> permits() {
    return new SettingType<>(
        ConfigDef.Type.STRING,
        "1 to " + Quota.MOST_PERMITS,
        text -> {
          long permits = quoted(text, Quota::parsePermits);
          require(permits >= 1 && permits <= Quota.MOST_PERMITS, "burst must be 1 to 2147483648");
          return permits;
        });
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

  public T read(String text) {
    return reader.apply(text.trim());
  }

  @Override
  public void ensureValid(String key, Object value) {
    // Kafka also validates defaults, and the default of an optional setting is null.
    if (value == null) return;
    try {
      read(ConfigDef.convertToString(value, type));
    } catch (IllegalArgumentException e) {
      throw new ConfigException(key, value, e.getMessage());
    }
  }

  private static void require(boolean condition, String accepted) {
    if (!condition) throw new IllegalArgumentException(accepted);
  }

  /** Description of the accepted values, which Kafka prints in its tables of settings. */
  @Override
  public String toString() {
    return accepted;
  }
}

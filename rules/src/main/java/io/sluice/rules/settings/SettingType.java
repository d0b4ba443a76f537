package io.sluice.rules.settings;

import io.sluice.limiter.config.SettingFormat;
import io.sluice.rules.event.Keys;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * Type of a setting in Kafka's tables of settings, and the format of its texts.
 *
 * @param format the texts that the setting accepts, and how to parse them
 */
public record SettingType<T>(ConfigDef.Type type, SettingFormat<T> format)
    implements ConfigDef.Validator {

  public static final SettingType<Boolean> BOOLEAN =
      new SettingType<>(
          ConfigDef.Type.BOOLEAN, SettingFormat.choice(List.of(true, false), String::valueOf));

  /** Creates a type whose format is only for this setting. */
  public SettingType(ConfigDef.Type type, String accepted, Function<String, T> reader) {
    this(type, new SettingFormat<>(accepted, reader));
  }

  /** Returns the type of texts with a format that Kafka has no type for. */
  public static <T> SettingType<T> of(SettingFormat<T> format) {
    return new SettingType<>(ConfigDef.Type.STRING, format);
  }

  /** Returns the type of texts that match a regular expression as a whole. */
  public static SettingType<String> text(String accepted, String pattern) {
    return text(accepted, Pattern.compile(pattern).asMatchPredicate());
  }

  public static SettingType<String> text(String accepted, Predicate<String> legal) {
    return of(SettingFormat.text(accepted, legal));
  }

  /** Returns the type of enum constants, which are named in lower case with dashes. */
  public static <E extends Enum<E>> SettingType<E> oneOf(Class<E> constants) {
    return of(SettingFormat.choice(List.of(constants.getEnumConstants()), Keys::nameOf));
  }

  /** Type with two accepted names, parsed as false for the first and true for the second. */
  public static SettingType<Boolean> either(String no, String yes) {
    return of(SettingFormat.choice(List.of(false, true), second -> second ? yes : no));
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
    return of(SettingFormat.period(least, most));
  }

  /** Description of the accepted texts. */
  public String accepted() {
    return format.accepted();
  }

  public T read(String text) {
    return format.read(text);
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
    return accepted();
  }
}

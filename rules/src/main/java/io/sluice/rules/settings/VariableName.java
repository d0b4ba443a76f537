package io.sluice.rules.settings;

import io.sluice.rules.event.Keys;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Names of the environment variables that set configuration keys. A dot in a key is one underscore,
 * an underscore two and a dash three, as in Kafka's own image: {@code SLUICE_TOPICS_DEAD___LETTER}.
 * A key that is not Sluice's follows {@code SLUICE_KAFKA_}.
 */
public final class VariableName {
  private static final String SLUICE = "SLUICE_";
  private static final String KAFKA = SLUICE + "KAFKA_";
  private static final Pattern WORDS = Pattern.compile("[A-Za-z0-9]+(_{1,3}[A-Za-z0-9]+)*");

  /** Environment variables that only the launcher script reads. */
  private static final Set<String> NOT_SETTINGS = Set.of("SLUICE_JAVA_OPTS");

  /** Variables that Kubernetes sets in every pod for a Service whose name begins with sluice. */
  private static final Pattern SERVICE =
      Pattern.compile(
          "SLUICE_(\\w+_)?(SERVICE_HOST|SERVICE_PORT(_\\w+)?|PORT_\\d+_(TCP|UDP|SCTP)(_\\w+)?)");

  private static final Pattern SERVICE_ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");

  private VariableName() {}

  /** Whether an environment variable is meant as a setting of Sluice's configuration. */
  static boolean isSetting(String variable, String text) {
    if (!variable.startsWith(SLUICE) || NOT_SETTINGS.contains(variable)) return false;
    return !isOfService(variable, text);
  }

  /**
   * Whether Kubernetes sets the environment variable in every pod, for a Service whose name begins
   * with sluice.
   */
  static boolean isOfService(String variable, String text) {
    if (SERVICE.matcher(variable).matches()) return true;
    return variable.startsWith(SLUICE)
        && variable.endsWith("_PORT")
        && SERVICE_ADDRESS.matcher(text).matches();
  }

  /**
   * Key that an environment variable sets, in lower case; empty if the variable's name is
   * malformed.
   */
  public static Optional<String> key(String variable) {
    boolean kafka = variable.startsWith(KAFKA);
    String words = variable.substring(kafka ? KAFKA.length() : SLUICE.length());
    if (!WORDS.matcher(words).matches()) return Optional.empty();
    String key =
        words
            .replaceAll("(?<!_)___(?!_)", "-")
            .replaceAll("(?<!_)_(?!_)", ".")
            .replace("__", "_")
            .toLowerCase(Locale.ROOT);
    return Optional.of(kafka ? key : "sluice." + key);
  }

  /** Name of the environment variable that sets a key. */
  public static String of(String key) {
    String words =
        key.replace("_", "__").replace("-", "___").replace('.', '_').toUpperCase(Locale.ROOT);
    return Keys.isOwn(key) ? words : KAFKA + words;
  }
}

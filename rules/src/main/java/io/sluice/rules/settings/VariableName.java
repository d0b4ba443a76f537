package io.sluice.rules.settings;

import io.sluice.rules.event.Keys;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Environment variables of keys. A dot is one underscore, an underscore two and a dash three, as in
 * Kafka's own image: {@code SLUICE_TOPICS_DEAD___LETTER}. A key that is not Sluice's follows {@code
 * SLUICE_KAFKA_}.
 */
public final class VariableName {
  private static final String SLUICE = "SLUICE_";
  private static final String KAFKA = SLUICE + "KAFKA_";
  private static final Pattern WORDS = Pattern.compile("[A-Za-z0-9]+(_{1,3}[A-Za-z0-9]+)*");

  /** Variables that the launcher reads. */
  private static final Set<String> NOT_SETTINGS = Set.of("SLUICE_JAVA_OPTS");

  /** Variables that Kubernetes sets in every pod for a Service whose name begins with sluice. */
  private static final Pattern SERVICE =
      Pattern.compile(
          "SLUICE_(\\w+_)?(SERVICE_HOST|SERVICE_PORT(_\\w+)?|PORT_\\d+_(TCP|UDP|SCTP)(_\\w+)?)");

  private static final Pattern SERVICE_ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");

  private VariableName() {}

  /** Whether the variable is meant for Sluice's configuration. */
  static boolean isSetting(String variable, String text) {
    if (!variable.startsWith(SLUICE) || NOT_SETTINGS.contains(variable)) return false;
    return !isOfService(variable, text);
  }

  /** Whether Kubernetes sets the variable in every pod, for a Service with such a name. */
  static boolean isOfService(String variable, String text) {
    if (SERVICE.matcher(variable).matches()) return true;
    return variable.startsWith(SLUICE)
        && variable.endsWith("_PORT")
        && SERVICE_ADDRESS.matcher(text).matches();
  }

  /** Key of a variable, in lower case; empty if the name is malformed. */
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

  /** Variable of a key. */
  public static String of(String key) {
    String words =
        key.replace("_", "__").replace("-", "___").replace('.', '_').toUpperCase(Locale.ROOT);
    return Keys.isOwn(key) ? words : KAFKA + words;
  }
}

package io.sluice.rules.settings;

import static java.util.stream.Collectors.joining;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigTransformer;
import org.apache.kafka.common.config.provider.ConfigProvider;

/**
 * Kafka config providers that a configuration names. They resolve references such as {@code
 * ${env:THREADS}}.
 */
final class ConfigProviders {
  /*
   * Kafka resolves references only when it creates a client. Sluice resolves them once, when it
   * reads the configuration: so its own settings may contain references, the resolved texts are
   * checked like all others, and clients get settings without references.
   */
  private static final String PROVIDERS = AbstractConfig.CONFIG_PROVIDERS_CONFIG;

  private static final String ASKED = "asked";

  private static final Map<String, String> KAFKAS =
      Map.of(
          "env", "EnvVarConfigProvider",
          "file", "FileConfigProvider",
          "directory", "DirectoryConfigProvider");

  private final Map<String, String> settings = new LinkedHashMap<>();
  private final List<String> names;

  /** Reads the settings of the config providers from the configuration. */
  ConfigProviders(Map<String, String> texts) {
    names = CommaList.split(texts.getOrDefault(PROVIDERS, ""));
    for (Map.Entry<String, String> each : texts.entrySet()) {
      if (isTheirs(each.getKey())) settings.put(each.getKey(), each.getValue().trim());
    }
    settings.put(
        PROVIDERS, String.join(",", names)); // Kafka does not accept a space after the comma
  }

  /** Whether a key configures the config providers themselves. */
  static boolean isTheirs(String key) {
    return key.equals(PROVIDERS) || key.startsWith(PROVIDERS + ".");
  }

  /** Whether all config providers can be created; otherwise adds the mistakes. */
  boolean areSound(ConfigErrors mistakes) {
    boolean sound = true;
    for (String name : names) sound &= isSound(name, mistakes);
    if (!sound) return false;
    try {
      // Resolving any text creates and configures the providers.
      resolved("");
      return true;
    } catch (IllegalArgumentException e) {
      mistakes.add(PROVIDERS, settings.get(PROVIDERS), e.getMessage());
      return false;
    }
  }

  private boolean isSound(String name, ConfigErrors mistakes) {
    String key = PROVIDERS + "." + name + ".class";
    String given = settings.get(key);
    if (given == null) {
      String example = KAFKAS.getOrDefault(name, "FileConfigProvider");
      String theirs = ConfigProvider.class.getPackageName() + "." + example;
      mistakes.add(key, "missing; such as " + key + "=" + theirs);
      return false;
    }
    if (!isProvider(given))
      mistakes.add(key, given, "a ConfigProvider class that is on the class path");
    return isProvider(given);
  }

  private static boolean isProvider(String name) {
    try {
      ClassLoader context = Thread.currentThread().getContextClassLoader();
      ClassLoader loader = context == null ? ConfigProviders.class.getClassLoader() : context;
      return ConfigProvider.class.isAssignableFrom(Class.forName(name, false, loader));
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /** Whether a text contains references to any of the defined config providers. */
  boolean concern(String text) {
    return references(text).stream().anyMatch(names::contains);
  }

  /** Names of config providers that a text refers to and that are not defined. */
  Set<String> unknown(String text) {
    Set<String> unknown = new TreeSet<>(references(text));
    names.forEach(unknown::remove);
    return unknown;
  }

  /** Names of config providers in a text's references, which are the parts before the colon. */
  private static List<String> references(String text) {
    return ConfigTransformer.DEFAULT_PATTERN
        .matcher(text)
        .results()
        .map(reference -> reference.group(1))
        .toList();
  }

  /**
   * Returns the text with all references resolved.
   *
   * @throws IllegalArgumentException if a reference cannot be resolved; the message says in one
   *     line what is missing
   */
  String resolved(String text) {
    String resolved = ask(text);
    List<String> missing =
        ConfigTransformer.DEFAULT_PATTERN
            .matcher(text)
            .results()
            .filter(reference -> names.contains(reference.group(1)))
            .map(MatchResult::group)
            .filter(resolved::contains)
            .toList();
    if (missing.isEmpty()) return resolved;
    throw new IllegalArgumentException(
        missing.stream().distinct().collect(joining(", ")) + " has no value");
  }

  private String ask(String text) {
    Map<String, String> all = new LinkedHashMap<>(settings);
    all.put(ASKED, text);
    try {
      return (String) new AbstractConfig(new ConfigDef(), all, false).originals().get(ASKED);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(problem(e), e);
    }
  }

  private static String problem(RuntimeException failure) {
    String message = failure.getMessage();
    return failure instanceof ConfigException && message != null
        ? message
        : "the provider failed: " + failure;
  }
}

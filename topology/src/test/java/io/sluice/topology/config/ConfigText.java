package io.sluice.topology.config;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.rules.settings.ConfigurationException;
import io.sluice.testing.SettingLines;
import java.util.List;
import java.util.Map;

/** Configurations for tests, as lines of a properties file. */
public final class ConfigText {
  private ConfigText() {}

  /** Returns the settings that every configuration needs, with a limit {@code reply}, and these. */
  static Map<String, String> with(String... lines) {
    return SettingLines.withLimit(lines);
  }

  /** Returns the settings that Kafka needs, and these lines. */
  public static Map<String, String> without(String... lines) {
    return SettingLines.kafka(lines);
  }

  public static Map<String, String> put(Map<String, String> texts, String... lines) {
    return SettingLines.put(texts, lines);
  }

  /** Returns the configuration with a limit {@code reply} and these lines. */
  public static SluiceConfig config(String... lines) {
    return SluiceConfig.of(with(lines));
  }

  static List<String> mistakes(Map<String, String> texts) {
    return assertThrows(ConfigurationException.class, () -> SluiceConfig.of(texts)).mistakes();
  }

  /** Returns the mistakes in a configuration with a limit {@code reply} and these lines. */
  public static List<String> mistakes(String... lines) {
    return mistakes(with(lines));
  }
}

package io.sluice.topology.config;

import io.sluice.limiter.Algorithm;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.settings.LimitSettings;
import io.sluice.rules.settings.LimitWords;
import io.sluice.rules.settings.Setting;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Texts about settings and configurations for users. */
public final class ConfigReport {
  private ConfigReport() {}

  /** Describes what an application will do, limit by limit, in aligned lines. */
  public static String summary(SluiceConfig config) {
    return new ConfigSummary(config).text();
  }

  /** Describes each limit in one line, by name. Equal limits have equal descriptions. */
  public static Map<String, String> limits(SluiceConfig config) {
    return new LimitWords(config.limitsConfig()).lines();
  }

  /** Describes a limit in parts, without its name; some parts may be empty. */
  public static List<String> words(SluiceConfig config, Limit limit) {
    return new LimitWords(config.limitsConfig()).words(limit);
  }

  /**
   * Returns a limit's settings for display: values that the file gives as references are shown as
   * references.
   */
  public static Map<String, String> shown(
      SluiceConfig config, String limit, Map<String, String> settings) {
    Map<String, String> given = config.limitTexts().given().getOrDefault(limit, Map.of());
    Map<String, String> shown = new TreeMap<>(settings);
    shown.replaceAll(
        (name, text) ->
            text.equals(given.get(name))
                ? config.shown(Setting.limitPrefix(limit) + name, text)
                : text);
    return shown;
  }

  /** Name of an algorithm in the configuration. */
  public static String name(Algorithm algorithm) {
    return LimitSettings.nameOf(algorithm);
  }

  /** Warnings of settings that work, but probably not as intended; a line each. */
  public static List<String> warnings(SluiceConfig config) {
    return new ConfigWarnings(config).lines();
  }

  /** Remarks on limits that are slower than necessary; a line each. */
  public static List<String> remarks(SluiceConfig config) {
    return new ConfigWarnings(config).onBothBackends();
  }

  /** Reference of all settings, as a table for a terminal. */
  public static String referenceText() {
    return ConfigReference.text();
  }

  /** Reference of all settings, in Markdown for the manual. */
  public static String referenceMarkdown() {
    return ConfigReference.markdown();
  }
}

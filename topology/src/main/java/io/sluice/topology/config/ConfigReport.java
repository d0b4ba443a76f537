package io.sluice.topology.config;

import io.sluice.limiter.Algorithm;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.settings.LimitSettings;
import io.sluice.rules.settings.LimitWords;
import io.sluice.rules.settings.Setting;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Texts for users about settings and configurations: summaries, warnings and references. */
public final class ConfigReport {
  private ConfigReport() {}

  /** Describes what an application with this configuration will do: aligned lines of text. */
  public static String summary(SluiceConfig config) {
    return new ConfigSummary(config).text();
  }

  /**
   * Returns a description of one line for each limit, by the limit's name. Equal limits have equal
   * descriptions.
   */
  public static Map<String, String> limits(SluiceConfig config) {
    return new LimitWords(config.limitsConfig()).lines();
  }

  /**
   * Describes a limit in parts, one for each table column, without its name; parts may be empty.
   */
  public static List<String> words(SluiceConfig config, Limit limit) {
    return new LimitWords(config.limitsConfig()).words(limit);
  }

  /**
   * Returns a limit's settings for display. A value that the file gives as a reference to a config
   * provider is shown as that reference, since the value may be secret.
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

  /** Returns the name of an algorithm in the configuration. */
  public static String name(Algorithm algorithm) {
    return LimitSettings.nameOf(algorithm);
  }

  /** Returns one line for each valid setting that probably does not work as the user intends. */
  public static List<String> warnings(SluiceConfig config) {
    return new ConfigWarnings(config).lines();
  }

  /**
   * Returns one line for each limit in Redis that slows down events which also match limits on the
   * state store.
   */
  public static List<String> remarks(SluiceConfig config) {
    return new ConfigWarnings(config).onBothBackends();
  }

  /** Returns the reference of all settings, as a table for a terminal. */
  public static String referenceText() {
    return ConfigReference.text();
  }

  /** Returns the reference of all settings, in Markdown for the manual. */
  public static String referenceMarkdown() {
    return ConfigReference.markdown();
  }
}

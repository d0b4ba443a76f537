package io.sluice.topology.config;

import io.sluice.limiter.Algorithm;
import io.sluice.topology.limit.Limit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The texts about settings and configurations that people read. */
public final class ConfigReport {
  private ConfigReport() {}

  /** A description of what an application will do, limit by limit, in aligned lines. */
  public static String summary(SluiceConfig config) {
    return new ConfigSummary(config).text();
  }

  /** Each limit in the same words, by name. */
  public static Map<String, String> limits(SluiceConfig config) {
    return new LimitWords(config).lines();
  }

  /** What the summary says of a limit, without its name, in parts; some may be empty. */
  public static List<String> words(SluiceConfig config, Limit limit) {
    return new LimitWords(config).words(limit);
  }

  /**
   * What people are shown of a limit's settings: of those that the file gives as references, the
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

  /** What the configuration calls an algorithm. */
  public static String name(Algorithm algorithm) {
    return LimitSettings.nameOf(algorithm);
  }

  /** Warnings of what works, but perhaps not as intended; a line each. */
  public static List<String> warnings(SluiceConfig config) {
    return new ConfigWarnings(config).lines();
  }

  /** Remarks on what works, and costs more than it need to; a line each. */
  public static List<String> remarks(SluiceConfig config) {
    return new ConfigWarnings(config).onBothBackends();
  }

  /** Every setting there is, as a table for a terminal. */
  public static String referenceText() {
    return ConfigReference.text();
  }

  /** Every setting there is, as it stands in the manual. */
  public static String referenceMarkdown() {
    return ConfigReference.markdown();
  }
}

package io.sluice.topology.config;

import io.sluice.topology.event.Keys;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The texts of a configuration, read setting by setting. If a text cannot be read, it is noted as a
 * mistake and its default is used, so that the rest can be read too.
 */
final class RawSettings {
  private final Map<String, String> texts;
  private final References references;
  private final ConfigErrors mistakes;
  private final List<String> variables;
  private final String limit;

  RawSettings(Map<String, String> given, ConfigErrors mistakes) {
    this(given, mistakes, List.of());
  }

  private RawSettings(Map<String, String> given, ConfigErrors mistakes, List<String> variables) {
    this.references = References.follow(given, mistakes);
    this.texts = references.followed();
    this.mistakes = mistakes;
    this.variables = variables;
    this.limit = "";
  }

  private RawSettings(RawSettings all, String limit) {
    this.texts = all.texts;
    this.references = all.references;
    this.mistakes = all.mistakes;
    this.variables = all.variables;
    this.limit = limit;
  }

  /**
   * Those of a file, overridden by environment variables.
   *
   * @param standIns what holds for keys that neither gives. If there are any, the rest of what goes
   *     to Kafka is of no use, so what it refers to need not be there
   */
  static RawSettings load(
      Path file, Map<String, String> environment, Map<String, String> standIns) {
    PropertiesFile properties = PropertiesFile.read(file);
    EnvironmentSettings variables = new EnvironmentSettings(environment, properties.texts());
    Map<String, String> texts = variables.overFile();
    ConfigErrors mistakes = new ConfigErrors(texts.keySet(), variables.variables());
    properties.reportRepeated(mistakes);
    variables.report(mistakes);
    if (!standIns.isEmpty()) {
      References.drop(texts, key -> !Keys.isOwn(key) || standIns.containsKey(key));
    }
    standIns.forEach(texts::putIfAbsent);
    List<String> names = variables.variables().values().stream().sorted().toList();
    return new RawSettings(texts, mistakes, names);
  }

  /** The same, for reading the settings of one limit. */
  RawSettings forLimit(String name) {
    return new RawSettings(this, name);
  }

  ConfigErrors mistakes() {
    return mistakes;
  }

  /** The environment variables that gave some of it. */
  List<String> variables() {
    return variables;
  }

  /** The references that some of it was given as. */
  References references() {
    return references;
  }

  /** Everything given, in the order given, and with what references stand for in their place. */
  Map<String, String> texts() {
    return texts;
  }

  boolean has(Setting<?> setting) {
    return texts.containsKey(setting.keyFor(limit));
  }

  /** The setting, or its default if it is absent or bad. */
  <T> T read(Setting<T> setting) {
    return find(setting).orElseGet(setting::byDefault);
  }

  /** The setting, unless it is absent or bad. */
  <T> Optional<T> find(Setting<T> setting) {
    String key = setting.keyFor(limit);
    if (!has(setting) || references.areBroken(key)) return Optional.empty();
    try {
      return Optional.of(setting.read(text(setting)));
    } catch (IllegalArgumentException e) {
      // What is wrong with a text may quote it, and what a provider gives is not to be shown.
      mistake(setting, references.given(key).isPresent() ? setting.accepted() : e.getMessage());
      return Optional.empty();
    }
  }

  /** Says what is wrong with the setting, whether it is given or its default does not fit. */
  void mistake(Setting<?> setting, String problem) {
    String key = setting.keyFor(limit);
    boolean hidden = setting.isSecret() && references.given(key).isEmpty(); // a reference is shown
    if (hidden) mistakes.add(key, problem);
    else mistakes.add(key, text(setting), problem);
  }

  void missing(Setting<?> setting, String problem) {
    mistakes.add(setting.keyFor(limit), "missing; " + problem);
  }

  /** Whether nothing is wrong with the setting so far. */
  boolean sound(Setting<?> setting) {
    String key = setting.keyFor(limit);
    return !mistakes.concern(key) && !references.areBroken(key);
  }

  String text(Setting<?> setting) {
    return texts.getOrDefault(setting.keyFor(limit), setting.defaultText());
  }

  /** The texts of the keys that begin so, by what follows. */
  Map<String, String> beginning(String prefix) {
    Map<String, String> found = new LinkedHashMap<>();
    texts.forEach(
        (key, text) -> {
          if (key.startsWith(prefix)) found.put(key.substring(prefix.length()), text);
        });
    return found;
  }

  /** The names of all limits that have settings, in the order of their first. */
  List<String> limitNames() {
    return texts.keySet().stream().flatMap(key -> LimitName.in(key).stream()).distinct().toList();
  }
}

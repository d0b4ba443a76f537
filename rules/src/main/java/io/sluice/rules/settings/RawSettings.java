package io.sluice.rules.settings;

import io.sluice.rules.event.Keys;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Texts of a configuration, and their parsing. A text that cannot be parsed is reported as a
 * mistake, and the setting's default is used so that parsing can continue.
 */
public final class RawSettings {
  private final Map<String, String> texts;
  private final References references;
  private final ConfigErrors mistakes;
  private final List<String> variables;
  private final String limit;
  private final String input;

  public RawSettings(Map<String, String> given, ConfigErrors mistakes) {
    this(given, mistakes, List.of());
  }

  private RawSettings(Map<String, String> given, ConfigErrors mistakes, List<String> variables) {
    this.references = References.follow(given, mistakes);
    this.texts = references.followed();
    this.mistakes = mistakes;
    this.variables = variables;
    this.limit = "";
    this.input = "";
  }

  private RawSettings(RawSettings all, String limit, String input) {
    this.texts = all.texts;
    this.references = all.references;
    this.mistakes = all.mistakes;
    this.variables = all.variables;
    this.limit = limit;
    this.input = input;
  }

  /**
   * Loads a properties file, overridden by environment variables.
   *
   * @param standIns values for keys that neither file nor variables set. If there are any, settings
   *     for Kafka that contain references are dropped, so these references need not be resolvable
   */
  public static RawSettings load(
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

  /** Returns a view for parsing the settings of one limit. */
  public RawSettings forLimit(String name) {
    return new RawSettings(this, name, "");
  }

  /**
   * Returns a view for parsing the settings of the events of one input topic, whose keys begin with
   * {@code sluice.input.TOPIC.event.} instead of {@code sluice.event.}
   */
  public RawSettings forInput(String topic) {
    return new RawSettings(this, "", topic);
  }

  private String key(Setting<?> setting) {
    String key = setting.keyFor(limit);
    return input.isEmpty() ? key : Keys.ofInput(input, key);
  }

  public ConfigErrors mistakes() {
    return mistakes;
  }

  /** Names of the environment variables that set a key of the configuration. */
  public List<String> variables() {
    return variables;
  }

  /** References to config providers in the configuration. */
  public References references() {
    return references;
  }

  /** Texts of all settings by key, in the order given, with references resolved. */
  public Map<String, String> texts() {
    return texts;
  }

  public boolean has(Setting<?> setting) {
    return texts.containsKey(key(setting));
  }

  /** Returns the setting's value, or its default if it is absent or invalid. */
  public <T> T read(Setting<T> setting) {
    return find(setting).orElseGet(setting::byDefault);
  }

  /** Returns the setting's value; empty if the setting is absent or invalid. */
  public <T> Optional<T> find(Setting<T> setting) {
    String key = key(setting);
    if (!has(setting) || references.areBroken(key)) return Optional.empty();
    try {
      return Optional.of(setting.read(text(setting)));
    } catch (IllegalArgumentException e) {
      // The exception may quote the text, and a config provider's value must not be shown.
      mistake(setting, references.given(key).isPresent() ? setting.accepted() : e.getMessage());
      return Optional.empty();
    }
  }

  /** Adds a mistake in the setting's value, which may be the default. */
  public void mistake(Setting<?> setting, String problem) {
    String key = key(setting);
    // A secret value is hidden; a reference to a secret is shown.
    boolean hidden = setting.isSecret() && references.given(key).isEmpty();
    if (hidden) mistakes.add(key, problem);
    else mistakes.add(key, text(setting), problem);
  }

  public void missing(Setting<?> setting, String problem) {
    mistakes.add(key(setting), "missing; " + problem);
  }

  /** Whether no mistake in the setting has been found so far. */
  public boolean sound(Setting<?> setting) {
    String key = key(setting);
    return !mistakes.concern(key) && !references.areBroken(key);
  }

  public String text(Setting<?> setting) {
    return texts.getOrDefault(key(setting), setting.defaultText());
  }

  /** Returns the texts of keys with a prefix, by the rest of the key. */
  public Map<String, String> beginning(String prefix) {
    Map<String, String> found = new LinkedHashMap<>();
    texts.forEach(
        (key, text) -> {
          if (key.startsWith(prefix)) found.put(key.substring(prefix.length()), text);
        });
    return found;
  }

  /** Names of the attributes of events that have a selector, in order. */
  public List<String> attributeNames() {
    String prefix =
        input.isEmpty() ? Keys.EVENT_ATTRIBUTE : Keys.ofInput(input, Keys.EVENT_ATTRIBUTE);
    return beginning(prefix).keySet().stream().filter(name -> !name.isEmpty()).toList();
  }

  /** Names of all limits with settings, in order of first occurrence. */
  public List<String> limitNames() {
    return texts.keySet().stream().flatMap(key -> LimitName.in(key).stream()).distinct().toList();
  }
}

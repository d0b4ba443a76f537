package io.sluice.topology;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a configuration gives, read setting by setting. What cannot be read is noted, and its
 * default stands in, so that the rest can be read too.
 */
final class GivenSettings {
  private final Map<String, String> texts;
  private final Mistakes mistakes;
  private final String limit;

  GivenSettings(Map<String, String> texts, Mistakes mistakes) {
    this(texts, mistakes, "");
  }

  private GivenSettings(Map<String, String> texts, Mistakes mistakes, String limit) {
    this.texts = texts;
    this.mistakes = mistakes;
    this.limit = limit;
  }

  /** The same, for reading the settings of one limit. */
  GivenSettings forLimit(String name) {
    return new GivenSettings(texts, mistakes, name);
  }

  Mistakes mistakes() {
    return mistakes;
  }

  /** Everything given, in the order given. */
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
    if (!has(setting)) return Optional.empty();
    try {
      return Optional.of(setting.read(text(setting)));
    } catch (IllegalArgumentException e) {
      mistake(setting, e.getMessage());
      return Optional.empty();
    }
  }

  /** Says what is wrong with the setting, whether it is given or its default does not fit. */
  void mistake(Setting<?> setting, String problem) {
    if (setting.isSecret()) mistakes.add(setting.keyFor(limit), problem);
    else mistakes.add(setting.keyFor(limit), text(setting), problem);
  }

  void missing(Setting<?> setting, String problem) {
    mistakes.add(setting.keyFor(limit), "missing; " + problem);
  }

  /** Whether nothing is wrong with the setting so far. */
  boolean sound(Setting<?> setting) {
    return !mistakes.concern(setting.keyFor(limit));
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

package io.sluice.rules.settings;

import io.sluice.rules.event.Keys;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Settings from environment variables, which override the file. Variable names have no case, so a
 * variable sets the key that equals it except for case.
 */
public final class EnvironmentSettings {
  private static final String MATCH_USER_ID = "match.userId";

  private final Map<String, String> texts = new LinkedHashMap<>();
  private final Map<String, String> variables = new LinkedHashMap<>();
  private final Map<String, String> mistakes = new LinkedHashMap<>();
  private final Map<String, String> file;

  /**
   * Reads the environment variables that set keys.
   *
   * @param file settings of the file, by key
   */
  public EnvironmentSettings(Map<String, String> environment, Map<String, String> file) {
    this.file = file;
    // The list of limits is read first, since it decides which keys the other variables mean.
    read(environment, List.of(VariableName.of(Keys.LIMITS)));
    read(environment, new TreeMap<>(environment).keySet());
  }

  private void read(Map<String, String> environment, Iterable<String> names) {
    for (String name : names) {
      String text = environment.get(name);
      if (text == null || variables.containsValue(name)) continue;
      if (VariableName.isSetting(name, text)) read(name, text);
    }
  }

  private void read(String variable, String text) {
    List<String> meant = VariableName.key(variable).map(this::spellings).orElseGet(List::of);
    if (meant.isEmpty()) {
      mistakes.put(
          variable,
          "no key has this name; in a variable, _ is a dot, __ is an underscore and ___ is a dash");
    } else if (meant.size() > 1) {
      mistakes.put(
          variable,
          "may mean "
              + String.join(" or ", meant)
              + ", which differ only in case; set them in the file");
    } else if (variables.containsKey(meant.get(0))) {
      mistakes.put(
          variable,
          "sets " + meant.get(0) + ", but " + variables.get(meant.get(0)) + " sets it too");
    } else {
      texts.put(meant.get(0), text);
      variables.put(meant.get(0), variable);
    }
  }

  /**
   * Returns the keys, in their known spelling, that equal a lower-case key except for case; the
   * lower-case key itself if there is none.
   */
  private List<String> spellings(String key) {
    List<String> inFile = file.keySet().stream().filter(key::equalsIgnoreCase).toList();
    if (!inFile.isEmpty()) return inFile;
    List<String> ofLimits =
        limits().filter(name -> isOf(name, key)).map(name -> ofLimit(name, key)).toList();
    return ofLimits.isEmpty() ? List.of(key) : ofLimits;
  }

  private static boolean isOf(String limit, String key) {
    String prefix = Setting.limitPrefix(limit);
    return key.regionMatches(true, 0, prefix, 0, prefix.length());
  }

  private static String ofLimit(String limit, String key) {
    String prefix = Setting.limitPrefix(limit);
    String setting = key.substring(prefix.length());
    return prefix + (setting.equalsIgnoreCase(MATCH_USER_ID) ? MATCH_USER_ID : setting);
  }

  /** Names of limits, as the setting {@code sluice.limits} or the keys of the file spell them. */
  private Stream<String> limits() {
    String listed = texts.getOrDefault(Keys.LIMITS, file.get(Keys.LIMITS));
    Stream<String> named = file.keySet().stream().flatMap(key -> LimitName.in(key).stream());
    return Stream.concat(listed == null ? Stream.of() : CommaList.split(listed).stream(), named)
        .distinct();
  }

  /** Returns the settings of the file, overridden by the environment variables. */
  public Map<String, String> overFile() {
    Map<String, String> all = new LinkedHashMap<>(file);
    all.putAll(texts);
    return all;
  }

  /** Names of the environment variables, by the keys that they set. */
  public Map<String, String> variables() {
    return variables;
  }

  void report(ConfigErrors all) {
    mistakes.forEach(all::add);
  }
}

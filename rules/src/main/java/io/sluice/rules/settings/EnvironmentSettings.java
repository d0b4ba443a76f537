package io.sluice.rules.settings;

import io.sluice.rules.event.Keys;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Settings from environment variables, which override the file. Variable names have no case, so a
 * variable sets the key that equals it except for case.
 */
public final class EnvironmentSettings {
  private static final String MATCH_USER_ID = "match.userId";
  private static final String MATCH_ATTRIBUTE = "match.attributes.";
  private static final String ATTRIBUTE = "attributes.";

  /** First parts of the variables whose values name fields of events. */
  private static final List<String> NAMING_FIELDS = List.of("SLUICE_LIMIT_", "SLUICE_QUEUE_");

  /** Settings of a limit whose values name fields. */
  private static final Set<String> FIELDS = Set.of("key", "distinct");

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
    // The lists of limits and topics, and the fields of the limits, decide which keys the other
    // variables mean.
    read(environment, List.of(VariableName.of(Keys.LIMITS), VariableName.of(Keys.TOPICS_INPUT)));
    Set<String> all = new TreeMap<>(environment).keySet();
    for (String first : NAMING_FIELDS)
      read(environment, all.stream().filter(each -> each.startsWith(first)).toList());
    read(environment, all);
    sort();
  }

  /** Sorts the keys by their variables, with the list of limits first, for messages. */
  private void sort() {
    Comparator<String> limitsFirst = Comparator.comparing(key -> !key.equals(Keys.LIMITS));
    List<String> keys =
        variables.keySet().stream().sorted(limitsFirst.thenComparing(variables::get)).toList();
    for (String key : keys) {
      variables.put(key, variables.remove(key));
      texts.put(key, texts.remove(key));
    }
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
        limits().filter(name -> isOf(name, key)).flatMap(name -> ofLimit(name, key)).toList();
    return ofLimits.isEmpty() ? ofEvents(key) : ofLimits;
  }

  private static boolean isOf(String limit, String key) {
    String prefix = Setting.limitPrefix(limit);
    return key.regionMatches(true, 0, prefix, 0, prefix.length());
  }

  private Stream<String> ofLimit(String limit, String key) {
    String prefix = Setting.limitPrefix(limit);
    String setting = key.substring(prefix.length());
    if (setting.equalsIgnoreCase(MATCH_USER_ID)) return Stream.of(prefix + MATCH_USER_ID);
    if (!setting.startsWith(MATCH_ATTRIBUTE)) return Stream.of(prefix + setting);
    String name = setting.substring(MATCH_ATTRIBUTE.length());
    return spelled(name, selected()).map(each -> prefix + MATCH_ATTRIBUTE + each);
  }

  /** Returns the spellings of a key of events: of topics as listed, of attributes as in limits. */
  private List<String> ofEvents(String key) {
    List<String> spellings =
        Stream.concat(Stream.of(Keys.EVENT), inputs().map(each -> Keys.ofInput(each, Keys.EVENT)))
            .filter(prefix -> key.regionMatches(true, 0, prefix, 0, prefix.length()))
            .flatMap(prefix -> ofEvents(prefix, key.substring(prefix.length())))
            .toList();
    return spellings.isEmpty() ? List.of(key) : spellings;
  }

  private Stream<String> ofEvents(String prefix, String setting) {
    String attribute = Keys.EVENT_ATTRIBUTE.substring(Keys.EVENT.length());
    if (!setting.startsWith(attribute)) return Stream.of(prefix + setting);
    return spelled(setting.substring(attribute.length()), limited())
        .map(each -> prefix + attribute + each);
  }

  /** Returns the known names that equal a name except for case, or else the name itself. */
  private static Stream<String> spelled(String name, Stream<String> known) {
    List<String> spellings = known.filter(name::equalsIgnoreCase).distinct().toList();
    return spellings.isEmpty() ? Stream.of(name) : spellings.stream();
  }

  /** Names of attributes that have a selector in the file. */
  private Stream<String> selected() {
    return Stream.concat(
            Stream.of(Keys.EVENT), inputs().map(each -> Keys.ofInput(each, Keys.EVENT)))
        .map(prefix -> prefix + Keys.EVENT_ATTRIBUTE.substring(Keys.EVENT.length()))
        .flatMap(prefix -> rests(file, prefix));
  }

  /**
   * Names of attributes that limits match or count by, or that give the order of queues, in the
   * file or in variables.
   */
  private Stream<String> limited() {
    Map<String, String> all = overFile();
    Stream<String> ofQueues =
        attributes(
            Stream.of(Keys.QUEUE_PRIORITY, Keys.QUEUE_FAIR)
                .map(key -> all.getOrDefault(key, "").trim()));
    return Stream.concat(
        limits().map(Setting::limitPrefix).flatMap(prefix -> limited(all, prefix)), ofQueues);
  }

  private static Stream<String> limited(Map<String, String> all, String prefix) {
    Stream<String> counted =
        attributes(
            FIELDS.stream()
                .flatMap(each -> CommaList.split(all.getOrDefault(prefix + each, "")).stream()));
    return Stream.concat(rests(all, prefix + MATCH_ATTRIBUTE), counted);
  }

  /** Returns the names of the attributes among some fields. */
  private static Stream<String> attributes(Stream<String> fields) {
    return fields
        .filter(each -> each.startsWith(ATTRIBUTE))
        .map(each -> each.substring(ATTRIBUTE.length()));
  }

  /** Returns the rests of the keys that begin with a prefix. */
  private static Stream<String> rests(Map<String, String> all, String prefix) {
    return all.keySet().stream()
        .filter(each -> each.startsWith(prefix))
        .map(each -> each.substring(prefix.length()));
  }

  private Stream<String> inputs() {
    String listed = texts.getOrDefault(Keys.TOPICS_INPUT, file.get(Keys.TOPICS_INPUT));
    return listed == null ? Stream.of() : CommaList.split(listed).stream();
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

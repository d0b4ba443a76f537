package io.sluice.rules.settings;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Quota;
import io.sluice.limiter.config.Spelling;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Match.Values;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Limits of a configuration as texts of their settings, and a parser for changed settings, which
 * reports the same mistakes as for a configuration. Immutable.
 */
public final class LimitTexts {
  private static final String MATCH = "match.";
  private static final List<Setting<?>> SETTINGS = settings();
  private static final List<String> NAMES =
      SETTINGS.stream().map(LimitTexts::nameOf).filter(name -> !name.startsWith(MATCH)).toList();

  private final Map<String, Map<String, String>> given;
  private final Map<String, String> references;
  private final EventShape events;
  private final boolean simulated;

  /**
   * Facts about the events that limits apply to.
   *
   * @param inputs input topics, which a limit may match
   * @param lists names of the attributes that are lists, which only {@code distinct} counts
   */
  public record EventShape(List<String> inputs, Set<String> lists) {
    /** Events of a program that is not a Kafka Streams application. */
    private static final EventShape NONE = new EventShape(List.of(), Set.of());

    public EventShape {
      inputs = List.copyOf(inputs);
      lists = Set.copyOf(lists);
    }
  }

  /**
   * Result of parsing a limit.
   *
   * @param limit with valid substitutes for settings that have mistakes
   * @param mistakes messages, one line each
   */
  public record Reading(Limit limit, List<String> mistakes) {}

  private LimitTexts(
      Map<String, Map<String, String>> given,
      Map<String, String> references,
      EventShape events,
      boolean simulated) {
    this.given = given;
    this.references = references;
    this.events = events;
    this.simulated = simulated;
  }

  /**
   * Returns a parser without configured limits, for a program that is not a Kafka Streams
   * application.
   */
  public static LimitTexts none() {
    return new LimitTexts(Map.of(), Map.of(), EventShape.NONE, false);
  }

  /**
   * Returns the limits of a program that is not a Kafka Streams application, in this order.
   *
   * @param given settings by limit, without the limit's prefix in their keys
   */
  public static LimitTexts ofProgram(Map<String, Map<String, String>> given) {
    Map<String, Map<String, String>> kept = new LinkedHashMap<>();
    given.forEach((name, settings) -> kept.put(name, Map.copyOf(settings)));
    return new LimitTexts(Collections.unmodifiableMap(kept), Map.of(), EventShape.NONE, false);
  }

  /**
   * Returns the texts of the settings of these limits, in this order. No attribute of their events
   * is a list.
   *
   * @param inputs input topics, which a limit may match
   */
  public static LimitTexts of(RawSettings settings, List<Limit> limits, List<String> inputs) {
    return of(settings, limits, new EventShape(inputs, Set.of()));
  }

  /**
   * Returns the texts of the settings of these limits, in this order.
   *
   * @param events facts about the events that the limits apply to
   */
  public static LimitTexts of(RawSettings settings, List<Limit> limits, EventShape events) {
    Map<String, Map<String, String>> given = new LinkedHashMap<>();
    Map<String, String> references = new TreeMap<>();
    for (Limit limit : limits) {
      String prefix = Setting.limitPrefix(limit.name());
      Map<String, String> texts = settings.beginning(prefix);
      given.put(limit.name(), Collections.unmodifiableMap(texts));
      for (String name : texts.keySet()) {
        String key = prefix + name;
        settings.references().given(key).ifPresent(text -> references.put(key, text));
      }
    }
    return new LimitTexts(Collections.unmodifiableMap(given), references, events, false);
  }

  /**
   * Returns a copy that parses limits for a simulation, in which events wait while Redis is
   * unavailable.
   */
  public LimitTexts simulated() {
    return new LimitTexts(given, references, events, true);
  }

  /**
   * Texts of settings by limit, without the limit's prefix in their keys; limits in the order of
   * the list.
   */
  public Map<String, Map<String, String>> given() {
    return given;
  }

  /**
   * Returns the text of a key's value for display: the reference, if the value was given as a
   * reference to a config provider.
   */
  public String shown(String key, String text) {
    return references.containsKey(key) ? Passwords.hiddenIn(references.get(key)) : text;
  }

  /**
   * Parses a limit from all its settings. References to config providers in them are not resolved.
   */
  public Reading read(String limit, Map<String, String> settings) {
    String prefix = Setting.limitPrefix(limit);
    Map<String, String> texts = new TreeMap<>();
    settings.forEach((name, text) -> texts.put(prefix + name, text));
    ConfigErrors mistakes = new ConfigErrors(texts.keySet());
    mistakes.areGivenAs(references(limit, settings));
    RawSettings own = new RawSettings(texts, mistakes).forLimit(limit);
    Limit read = LimitParser.readComplete(limit, own);
    LimitParser.checkTopics(read, own, events.inputs);
    LimitParser.checkLists(read, own, events.lists);
    return new Reading(simulated ? read.waitingForRedis() : read, mistakes.lines());
  }

  /**
   * Returns the references to config providers in a limit's unchanged settings, so that mistakes do
   * not show the resolved values.
   */
  private Map<String, String> references(String limit, Map<String, String> settings) {
    if (references.isEmpty()) return Map.of();
    Map<String, String> kept = new TreeMap<>(references);
    Map<String, String> unchanged = given.getOrDefault(limit, Map.of());
    kept.keySet().removeIf(key -> !key.startsWith(Setting.limitPrefix(limit)));
    settings.forEach(
        (name, text) -> {
          if (!text.equals(unchanged.get(name))) kept.remove(Setting.limitPrefix(limit) + name);
        });
    return kept;
  }

  /**
   * Returns the mistake in the name of a setting, as a message; empty if the name is known.
   *
   * @param besides additional known names
   */
  public static Optional<String> unknown(String limit, String name, List<String> besides) {
    if (name.startsWith(MATCH) || NAMES.contains(name) || besides.contains(name)) {
      return Optional.empty();
    }
    List<String> known =
        Stream.of(NAMES.stream(), besides.stream(), Stream.of(MATCH + "action"))
            .flatMap(names -> names)
            .toList();
    String prefix = Setting.limitPrefix(limit);
    ConfigErrors mistakes = new ConfigErrors(List.of());
    mistakes.add(prefix + name, "unknown; did you mean " + prefix + nearest(name, known) + "?");
    return Optional.of(mistakes.lines().get(0));
  }

  /** Returns a message about a mistake in a setting, in the form of all such messages. */
  public static String mistake(String limit, String name, String text, String problem) {
    ConfigErrors mistakes = new ConfigErrors(List.of());
    mistakes.add(Setting.limitPrefix(limit) + name, text, problem);
    return mistakes.lines().get(0);
  }

  /** Whether an environment variable is not a setting, because Kubernetes sets it for a Service. */
  public static boolean isOfService(String variable, String text) {
    return VariableName.isOfService(variable, text);
  }

  /** Returns the known word that is spelled most like the given one. */
  public static String nearest(String word, Collection<String> known) {
    return Collections.min(known, Comparator.comparingInt(each -> Spelling.distance(word, each)));
  }

  /**
   * Returns settings in canonical form, so that {@code 5/60s} and {@code 5/1m} are equal.
   *
   * @param complete whether these are all settings of a limit, so that defaults apply
   */
  public static Map<String, String> meanings(Map<String, String> settings, boolean complete) {
    Map<String, String> meanings = new TreeMap<>(settings);
    for (Setting<?> setting : SETTINGS) {
      String name = nameOf(setting);
      String text = settings.getOrDefault(name, complete ? setting.defaultText() : "");
      boolean isDefault = complete && text.isBlank() && "".equals(setting.defaultValue);
      boolean means = settings.containsKey(name) ? !isDefault : !text.isEmpty();
      if (means) meanings.put(name, String.valueOf(setting.read(text)));
      else meanings.remove(name);
    }
    meanings.replaceAll((name, text) -> name.startsWith(MATCH) ? values(text) : text);
    if (complete) addCalendar(settings, meanings);
    return meanings;
  }

  /** Adjusts the texts of zone and algorithm, which depend on the quota and on opening hours. */
  private static void addCalendar(Map<String, String> settings, Map<String, String> meanings) {
    Quota quota = LimitSettings.QUOTA.read(settings.get(nameOf(LimitSettings.QUOTA)));
    String algorithm = nameOf(LimitSettings.ALGORITHM);
    boolean calendar = QuotaParser.isOfCalendar(quota);
    boolean zoned = calendar || meanings.containsKey(nameOf(LimitSettings.OPEN));
    if (!zoned) meanings.remove(nameOf(LimitSettings.ZONE));
    if (calendar && !settings.containsKey(algorithm)) {
      meanings.put(algorithm, Algorithm.CALENDAR_WINDOW.toString());
    }
  }

  private static String values(String text) {
    Values values = LimitSettings.MATCH.read(text);
    return (values.negated() ? "!" : "") + new TreeSet<>(values.texts());
  }

  private static String nameOf(Setting<?> setting) {
    return setting.name.substring(Setting.EACH.length());
  }

  private static List<Setting<?>> settings() {
    return LimitSettings.definition().configKeys().values().stream()
        .<Setting<?>>map(key -> (Setting<?>) key)
        .toList();
  }
}

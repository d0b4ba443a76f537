package io.sluice.rules.settings;

import io.sluice.limiter.PlainText;
import io.sluice.rules.event.Keys;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.AbstractConfig;

/** Mistakes in a configuration, reported in the order of its keys. Secrets are hidden. */
public final class ConfigErrors {
  private static final int LONGEST_VALUE = 100;

  /**
   * Maximum length of a value that is not hidden in messages: it is too short for a secret, and may
   * occur in a message by chance.
   */
  private static final int LONGEST_HARMLESS = 3;

  private final List<String> keys;
  private final Map<String, String> variables;
  private final List<Mistake> found = new ArrayList<>();
  private final Map<String, String> references = new HashMap<>();
  private final Map<String, Set<String>> unknownProviders = new HashMap<>();

  private record Mistake(String key, String line) {}

  /** Creates an empty list of mistakes for a configuration with these keys, in this order. */
  public ConfigErrors(Collection<String> keys) {
    this(keys, Map.of());
  }

  /**
   * Creates an empty list of mistakes for a configuration with these keys, in this order.
   *
   * @param variables environment variables that set some of the keys, by key
   */
  public ConfigErrors(Collection<String> keys, Map<String, String> variables) {
    this.keys = List.copyOf(keys);
    this.variables = Map.copyOf(variables);
  }

  /**
   * Declares that the values of some keys were given as references, which messages show in place of
   * the values.
   */
  void areGivenAs(Map<String, String> texts) {
    references.putAll(texts);
  }

  /**
   * Declares that the text of a key seems to refer to these config providers, which are not
   * defined.
   */
  void mayMeanProviders(String key, Set<String> names) {
    if (!names.isEmpty()) unknownProviders.put(key, names);
  }

  /** Adds a mistake in the value of a key. A possible password in the value is hidden. */
  public void add(String key, String value, String problem) {
    String given = references.getOrDefault(key, value);
    String open = Passwords.isUri(key) ? Passwords.hiddenInBad(given) : Passwords.hiddenIn(given);
    String shown = open.length() > LONGEST_VALUE ? open.substring(0, LONGEST_VALUE) + "..." : open;
    String said = quotes(key, value, problem) ? problem.replace(value, shown) : problem;
    if (!Passwords.isUri(key) && !open.equals(given)) said = Passwords.hiddenIn(said);
    found.add(new Mistake(key, asGiven(key) + "=" + shown + ": " + said + remark(key)));
  }

  private boolean quotes(String key, String value, String problem) {
    return (references.containsKey(key) || !Passwords.hiddenIn(value).equals(value))
        && value.length() > LONGEST_HARMLESS
        && problem.contains(value);
  }

  private String remark(String key) {
    Set<String> names = unknownProviders.getOrDefault(key, Set.of());
    return names.isEmpty()
        ? ""
        : "; " + AbstractConfig.CONFIG_PROVIDERS_CONFIG + " has no " + String.join(", ", names);
  }

  /** Adds a mistake about a key itself, such as an unknown or a missing key. */
  public void add(String key, String problem) {
    found.add(new Mistake(key, asGiven(key) + ": " + problem));
  }

  /**
   * Returns the name under which the user has set the key: an environment variable or the key
   * itself.
   */
  private String asGiven(String key) {
    return variables.getOrDefault(key, key);
  }

  /**
   * Returns another key in the form in which this key was given: as an environment variable or as a
   * key.
   */
  public String spelledLike(String key, String other) {
    return variables.containsKey(key) ? VariableName.of(other) : other;
  }

  /**
   * Whether mistakes in a key were found, so that checks that depend on its value must be skipped.
   */
  boolean concern(String key) {
    return found.stream().anyMatch(mistake -> mistake.key.equals(key));
  }

  public void throwIfAny() {
    if (!found.isEmpty()) throw new ConfigurationException(lines());
  }

  /**
   * Returns the mistakes, one line each. Mistakes about absent keys come after the keys of their
   * limit, or last.
   */
  List<String> lines() {
    return found.stream()
        .sorted(Comparator.comparingInt(mistake -> position(mistake.key)))
        .map(mistake -> PlainText.message(mistake.line))
        .distinct()
        .toList();
  }

  private int position(String key) {
    int exact = keys.indexOf(key);
    if (exact >= 0) return exact;
    String limit = LimitName.in(key).map(Setting::limitPrefix).orElse("-");
    for (int i = keys.size() - 1; i >= 0; i--) {
      if (keys.get(i).startsWith(limit)) return i;
    }
    return limit.equals("-") ? keys.size() : position(Keys.LIMITS);
  }
}

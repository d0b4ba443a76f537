package io.sluice.rules.settings;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * References in a configuration, such as {@code ${file:/run/secrets:redis}}, and their resolved
 * texts. Resolved texts are never shown; messages contain the reference.
 */
public final class References {
  private final Map<String, String> followed;
  private final Map<String, String> given = new LinkedHashMap<>();
  private final Set<String> broken = new LinkedHashSet<>();

  private References(Map<String, String> texts) {
    followed = new LinkedHashMap<>(texts);
  }

  /**
   * Resolves the references by the config providers that the texts define.
   *
   * @param mistakes receives a line for each reference that cannot be resolved
   */
  static References follow(Map<String, String> texts, ConfigErrors mistakes) {
    References references = new References(texts);
    ConfigProviders providers = new ConfigProviders(texts);
    references.followed.keySet().removeIf(ConfigProviders::isTheirs);
    references.followed.forEach(
        (key, text) -> {
          if (providers.concern(text)) references.given.put(key, text);
          mistakes.mayMeanProviders(key, providers.unknown(text));
        });
    mistakes.areGivenAs(references.given);
    if (!references.given.isEmpty()) references.follow(providers, mistakes);
    return references;
  }

  private void follow(ConfigProviders providers, ConfigErrors mistakes) {
    boolean sound = providers.areSound(mistakes);
    given.forEach(
        (key, text) -> {
          try {
            if (sound) followed.put(key, providers.resolved(text));
            else broken.add(key);
          } catch (IllegalArgumentException e) {
            mistakes.add(key, text, e.getMessage());
            broken.add(key);
          }
        });
  }

  /** Removes the texts of the selected keys if they contain references to config providers. */
  static void drop(Map<String, String> texts, Predicate<String> keys) {
    ConfigProviders providers = new ConfigProviders(texts);
    texts
        .entrySet()
        .removeIf(each -> keys.test(each.getKey()) && providers.concern(each.getValue()));
  }

  /**
   * Texts of all keys with references resolved. Settings of the config providers are removed, so
   * that no resolved text is taken for another reference.
   */
  Map<String, String> followed() {
    return followed;
  }

  /** Text of a key as given, if it contains a reference to a config provider. */
  public Optional<String> given(String key) {
    return Optional.ofNullable(given.get(key));
  }

  /** Whether the key's text could not be resolved, which is reported as a mistake. */
  public boolean areBroken(String key) {
    return broken.contains(key);
  }
}

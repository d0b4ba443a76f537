package io.sluice.topology.config;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The references in a configuration, such as {@code ${file:/run/secrets:redis}}, and the texts that
 * they stand for. Those are never shown: what people see is the reference.
 */
final class References {
  private final Map<String, String> followed;
  private final Map<String, String> given = new LinkedHashMap<>();
  private final Set<String> broken = new LinkedHashSet<>();

  private References(Map<String, String> texts) {
    followed = new LinkedHashMap<>(texts);
  }

  /**
   * Has the providers that the texts name say what the references in them stand for.
   *
   * @param mistakes gets a line for each that cannot be followed
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

  /** Takes away the texts that have references, of some keys. */
  static void drop(Map<String, String> texts, Predicate<String> keys) {
    ConfigProviders providers = new ConfigProviders(texts);
    texts
        .entrySet()
        .removeIf(each -> keys.test(each.getKey()) && providers.concern(each.getValue()));
  }

  /**
   * All texts, with what references stand for in their place. What is for the providers is gone: it
   * has done its work, and nothing is to be taken for a reference that a provider gave.
   */
  Map<String, String> followed() {
    return followed;
  }

  /** The text as it was given, if there is a reference in it. */
  Optional<String> given(String key) {
    return Optional.ofNullable(given.get(key));
  }

  /** Whether it is not known what the key's text is, and a mistake says why. */
  boolean areBroken(String key) {
    return broken.contains(key);
  }
}

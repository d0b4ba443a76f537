package io.sluice.limiter.registry;

import io.sluice.limiter.PlainText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Texts of settings by their keys, and the mistakes found in these texts, in the order in which
 * they were found.
 */
final class Texts {
  private final Map<String, String> texts;
  private final List<String> mistakes = new ArrayList<>();

  Texts(Map<String, String> texts) {
    this.texts = new TreeMap<>(texts);
  }

  Iterable<String> keys() {
    return texts.keySet();
  }

  boolean has(String key) {
    return texts.containsKey(key);
  }

  /**
   * Reads a setting; empty if the setting is absent or cannot be read, which is recorded as a
   * mistake.
   *
   * @param accepted description of the accepted texts, for the mistake; empty to use the message of
   *     the reader's exception, which must contain no password
   */
  <T> Optional<T> find(String key, String accepted, Function<String, T> reader) {
    if (!has(key)) return Optional.empty();
    try {
      return Optional.of(reader.apply(texts.get(key).trim()));
    } catch (IllegalArgumentException e) {
      if (accepted.isEmpty()) mistake(key + ": " + e.getMessage());
      else refuse(key, accepted);
      return Optional.empty();
    }
  }

  /** Records the text of this key as a mistake. */
  void refuse(String key, String problem) {
    mistake(key + "=" + texts.get(key) + ": " + problem);
  }

  void mistake(String line) {
    mistakes.add(PlainText.message(line));
  }

  List<String> mistakes() {
    return mistakes;
  }
}

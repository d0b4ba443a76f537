package io.sluice.limiter.registry;

import io.sluice.limiter.PlainText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Texts of settings by their keys, and the mistakes found in them, in order. */
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
   * Reads a setting; empty if it is absent, or if it cannot be read, which is noted as a mistake.
   *
   * @param accepted texts, for the mistake; empty to use the reader's message, which must contain
   *     no password
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

  /** Notes the text of this key as a mistake. */
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

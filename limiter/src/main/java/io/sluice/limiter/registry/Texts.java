package io.sluice.limiter.registry;

import io.sluice.limiter.PlainText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** The texts of settings, read one by one, and what is wrong with them, in the order found. */
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
   * What a setting says; nothing if it is absent, or cannot be read, which is a mistake then.
   *
   * @param accepted what it may say; empty if the reader's own message tells, and repeats no
   *     password
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

  /** The text of this key is a mistake. */
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

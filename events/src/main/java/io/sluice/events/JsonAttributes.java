package io.sluice.events;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.limiter.Bucket;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Attributes of a JSON event. An attribute that no limit uses makes no event unreadable, so faults
 * of attributes are only noted.
 */
final class JsonAttributes implements SelectedEvent.Attributes {
  private final Map<String, String> texts = new HashMap<>();
  private Map<String, FaultKind> faults = Map.of();
  private Set<String> names = Set.of();

  /** Takes the value at the parser's position as an attribute, if it is a scalar. */
  void take(String name, JsonToken value, JsonParser parser) throws IOException {
    if (texts.containsKey(name) || names.contains(name)) {
      fault(name, FaultKind.DUPLICATE_FIELD);
    }
    if (!value.isScalarValue() || value == JsonToken.VALUE_NULL) {
      if (names.isEmpty()) names = new HashSet<>();
      names.add(name);
      return;
    }
    String text = JsonReader.text(parser);
    boolean isKey = Bucket.isKey(text);
    texts.put(name, isKey ? text : escaped(text));
    if (!isKey) fault(name, FaultKind.INVALID_FIELD);
  }

  private void fault(String name, FaultKind kind) {
    if (faults.isEmpty()) faults = new HashMap<>();
    faults.put(name, kind);
  }

  @Override
  public String of(String name) {
    return texts.getOrDefault(name, "");
  }

  /**
   * The value has half of a surrogate pair, which UTF-8 cannot encode, or the name occurs twice.
   */
  @Override
  public Map<String, FaultKind> faults() {
    return faults;
  }

  /** Returns a text with each half of a surrogate pair as an escape sequence. */
  static String escaped(String value) {
    StringBuilder text = new StringBuilder();
    value
        .codePoints()
        .forEach(
            c -> {
              if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) {
                text.appendCodePoint(c);
              } else {
                text.append("\\u").append(Integer.toHexString(c));
              }
            });
    return text.toString();
  }
}

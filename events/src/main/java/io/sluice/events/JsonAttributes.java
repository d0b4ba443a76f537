package io.sluice.events;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.limiter.Bucket;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Attributes of a JSON event. An attribute that no limit uses makes no event unreadable, so faults
 * of attributes are only noted.
 */
final class JsonAttributes implements ValueReader.Attributes {
  private Map<String, String> texts = Map.of();
  private Map<String, FaultKind> faults = Map.of();

  /**
   * Takes the value at the parser's position as an attribute. The text of a value that is not a
   * scalar is empty, as if there was none.
   */
  void take(String name, JsonToken value, JsonParser parser) throws IOException {
    boolean isText = value.isScalarValue() && value != JsonToken.VALUE_NULL;
    String text = isText ? JsonReader.text(parser) : "";
    boolean isKey = Bucket.isKey(text) && !(isText && JsonReader.isUnreadable(value, text));
    if (texts.isEmpty()) texts = new HashMap<>();
    if (texts.put(name, isKey ? text : escaped(text)) != null) {
      fault(name, FaultKind.DUPLICATE_FIELD);
    }
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
   * The value has half of a surrogate pair, which UTF-8 cannot encode, or is a number with an
   * exponent and too many digits, or the name occurs twice.
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

package io.sluice.topology.simulation;

import java.util.HexFormat;

/**
 * Builder of a JSON object in one line of text, field by field. A field with an empty value is left
 * out.
 */
final class JsonLine {
  private final StringBuilder line = new StringBuilder(256).append('{');

  JsonLine text(String name, String text) {
    if (text.isEmpty()) return this;
    name(name).append('"');
    for (int i = 0; i < text.length(); i++) append(text, i);
    line.append('"');
    return this;
  }

  /** Adds a field with a number, given as text; does nothing if the text is empty. */
  JsonLine number(String name, String digits) {
    if (!digits.isEmpty()) name(name).append(digits);
    return this;
  }

  String end() {
    return line.append('}').toString();
  }

  private StringBuilder name(String name) {
    if (line.length() > 1) line.append(',');
    return line.append('"').append(name).append("\":");
  }

  private void append(String text, int i) {
    char c = text.charAt(i);
    if (c == '"' || c == '\\') line.append('\\').append(c);
    else if (c < ' ' || isUnpaired(text, i))
      line.append("\\u").append(HexFormat.of().toHexDigits(c));
    else line.append(c);
  }

  /** Returns whether the character is half of a surrogate pair, which UTF-8 cannot encode. */
  private static boolean isUnpaired(String text, int i) {
    char c = text.charAt(i);
    if (Character.isHighSurrogate(c)) {
      return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
    }
    return Character.isLowSurrogate(c)
        && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
  }
}

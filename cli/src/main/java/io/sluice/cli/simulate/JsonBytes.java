package io.sluice.cli.simulate;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * JSON parser that returns strings as bytes: unescaped bytes stay unchanged, even if they are not
 * valid UTF-8.
 */
final class JsonBytes {
  private static final String ESCAPES = "\"\\/bfnrt";
  private static final String ESCAPED = "\"\\/\b\f\n\r\t";
  private static final int MOST_DIGITS = 18;

  private final byte[] json;
  private int at;

  /** Thrown if the next token is not the expected one. */
  static final class UnexpectedException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception without a stack trace, to save time: most parsed lines are events
     * instead of kcat records, and each of them throws it.
     */
    private UnexpectedException() {
      super("unexpected", null, false, false);
    }
  }

  JsonBytes(byte[] json) {
    this.json = json;
  }

  void expect(char c) throws UnexpectedException {
    if (!accept(c)) throw new UnexpectedException();
  }

  /** Skips white space, then the character {@code c} if it comes next; returns whether it did. */
  boolean accept(char c) {
    skipBlanks();
    boolean comes = at < json.length && json[at] == c;
    if (comes) at++;
    return comes;
  }

  void expectEnd() throws UnexpectedException {
    skipBlanks();
    if (at < json.length) throw new UnexpectedException();
  }

  private void skipBlanks() {
    while (at < json.length && isBlank(json[at])) at++;
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t' || b == '\r' || b == '\n';
  }

  /** Parses an integer of at most 18 digits. */
  long integer() throws UnexpectedException {
    boolean negative = accept('-');
    int from = at;
    long number = 0;
    for (; at < json.length && json[at] >= '0' && json[at] <= '9'; at++) {
      if (at - from == MOST_DIGITS) throw new UnexpectedException();
      number = number * 10 + json[at] - '0';
    }
    if (at == from) throw new UnexpectedException();
    return negative ? -number : number;
  }

  byte[] stringOrNull() throws UnexpectedException {
    if (!accept('n')) return string();
    for (char c : "ull".toCharArray()) if (next() != c) throw new UnexpectedException();
    return null;
  }

  /** Parses a string and returns its content as bytes. */
  byte[] string() throws UnexpectedException {
    expect('"');
    ByteArrayOutputStream string = new ByteArrayOutputStream();
    while (true) {
      int from = at;
      while (at < json.length && json[at] != '"' && json[at] != '\\') at++;
      string.write(json, from, at - from);
      if (next() == '"') return string.toByteArray();
      string.writeBytes(escaped());
    }
  }

  private byte next() throws UnexpectedException {
    if (at == json.length) throw new UnexpectedException();
    return json[at++];
  }

  private byte[] escaped() throws UnexpectedException {
    byte letter = next();
    if (letter == 'u') return character().getBytes(StandardCharsets.UTF_8);
    int which = ESCAPES.indexOf(letter);
    if (which < 0) throw new UnexpectedException();
    return new byte[] {(byte) ESCAPED.charAt(which)};
  }

  /** Parses an escaped character of one or two UTF-16 units; an unpaired surrogate is an error. */
  private String character() throws UnexpectedException {
    char unit = unit();
    if (!Character.isSurrogate(unit)) return String.valueOf(unit);
    if (next() != '\\' || next() != 'u') throw new UnexpectedException();
    char low = unit();
    if (!Character.isSurrogatePair(unit, low)) throw new UnexpectedException();
    return String.valueOf(new char[] {unit, low});
  }

  private char unit() throws UnexpectedException {
    int unit = 0;
    for (int i = 0; i < 4; i++) {
      int digit = Character.digit((char) (next() & 0xff), 16);
      if (digit < 0) throw new UnexpectedException();
      unit = unit << 4 | digit;
    }
    return (char) unit;
  }
}

package io.sluice.limiter;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes external texts, such as ids, keys, headers and servers' answers, safe for a terminal or a
 * log: one line of bounded length, in which no character moves the cursor, begins a control
 * sequence, or turns the direction of writing.
 */
public final class PlainText {
  /** Largest length of an id or a name in a table, in characters. */
  public static final int LONGEST_NAME = 100;

  /** Largest length of a message, in characters. */
  public static final int LONGEST_MESSAGE = 4_000;

  /**
   * Invisible characters: control and format characters, halves of surrogate pairs, and line
   * separators.
   */
  private static final Pattern UNSEEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");

  private static final Pattern WHITE = Pattern.compile("[\\s\\p{Cc}\\p{Zl}\\p{Zp}]+");

  private PlainText() {}

  /**
   * Returns a safe copy of a name, in which all after {@link #LONGEST_NAME} characters becomes
   * {@code ...}.
   */
  public static String of(String text) {
    return of(text, LONGEST_NAME);
  }

  /**
   * Replaces each invisible character of the text by {@code ?}.
   *
   * @param longest length in characters after which the rest of a longer text becomes {@code ...}
   */
  public static String of(String text, int longest) {
    if (text.length() <= longest && isPlain(text)) return text;
    if (text.length() <= longest) return UNSEEN.matcher(text).replaceAll("?");
    boolean splitsPair = Character.isSurrogatePair(text.charAt(longest - 1), text.charAt(longest));
    String begin = text.substring(0, splitsPair ? longest - 1 : longest);
    return UNSEEN.matcher(begin).replaceAll("?") + "...";
  }

  /**
   * Returns a safe copy of a message, in which all after {@link #LONGEST_MESSAGE} characters
   * becomes {@code ...}.
   */
  public static String message(String text) {
    return message(text, LONGEST_MESSAGE);
  }

  /**
   * Makes a sentence safe: replaces each run of white space and control characters, such as line
   * feeds, by one space, then applies {@link #of(String, int)}.
   */
  public static String message(String text, int longest) {
    boolean isOneLine = isPlain(text) && !text.contains("  ");
    return of(isOneLine ? text : WHITE.matcher(text).replaceAll(" "), longest);
  }

  /**
   * Escapes the invisible characters in the strings of a JSON text, which keeps the text's meaning.
   */
  public static String json(String json) {
    if (isAscii(json)) return json; // strings in valid JSON escape ASCII control characters
    Matcher unseen = UNSEEN.matcher(json);
    StringBuilder escaped = new StringBuilder(json.length());
    int end = 0;
    while (unseen.find()) {
      escaped.append(json, end, unseen.start());
      end = unseen.end();
      String found = unseen.group();
      for (int i = 0; i < found.length(); i++) {
        char unit = found.charAt(i);
        // In valid JSON, a control character is white space between two tokens, and stays as it is.
        if (unit < ' ') escaped.append(unit);
        else escaped.append("\\u%04x".formatted((int) unit));
      }
    }
    return escaped.append(json, end, json.length()).toString();
  }

  /**
   * Whether the text is printable ASCII. Most texts are, so this fast check comes before the
   * patterns.
   */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ' || text.charAt(i) >= 0x7f) return false;
    }
    return true;
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x7f) return false;
    }
    return true;
  }
}

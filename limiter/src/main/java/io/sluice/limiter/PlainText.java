package io.sluice.limiter;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Texts from outside, such as ids, keys, headers and answers of servers, as a terminal or a log may
 * show them: one line of bounded length, in which no character moves the cursor, begins a control
 * sequence, or turns the direction of writing.
 */
public final class PlainText {
  /** Characters of a text, for an id or a name in a table. */
  public static final int LONGEST_NAME = 100;

  /** Characters of a message. */
  public static final int LONGEST_MESSAGE = 4_000;

  /** Control and format characters, halves of surrogate pairs, and separators of lines. */
  private static final Pattern UNSEEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");

  private static final Pattern WHITE = Pattern.compile("[\\s\\p{Cc}\\p{Zl}\\p{Zp}]+");

  private PlainText() {}

  /** A name of at most {@link #LONGEST_NAME} characters. */
  public static String of(String text) {
    return of(text, LONGEST_NAME);
  }

  /**
   * The text with {@code ?} in place of each character that is not seen.
   *
   * @param longest characters; of a longer text the rest is {@code ...}
   */
  public static String of(String text, int longest) {
    if (text.length() <= longest && isPlain(text)) return text;
    if (text.length() <= longest) return UNSEEN.matcher(text).replaceAll("?");
    boolean splitsPair = Character.isSurrogatePair(text.charAt(longest - 1), text.charAt(longest));
    String begin = text.substring(0, splitsPair ? longest - 1 : longest);
    return UNSEEN.matcher(begin).replaceAll("?") + "...";
  }

  /** A message of at most {@link #LONGEST_MESSAGE} characters. */
  public static String message(String text) {
    return message(text, LONGEST_MESSAGE);
  }

  /**
   * The same as {@link #of(String, int)} for sentences: runs of white space and control characters,
   * such as line feeds, become one space.
   */
  public static String message(String text, int longest) {
    boolean isOneLine = isPlain(text) && !text.contains("  ");
    return of(isOneLine ? text : WHITE.matcher(text).replaceAll(" "), longest);
  }

  /** JSON with what is not seen in its strings as an escape, which does not change its meaning. */
  public static String json(String json) {
    if (isAscii(json)) return json; // in JSON, other control characters are escaped anyway
    Matcher unseen = UNSEEN.matcher(json);
    StringBuilder escaped = new StringBuilder(json.length());
    int end = 0;
    while (unseen.find()) {
      escaped.append(json, end, unseen.start());
      end = unseen.end();
      String found = unseen.group();
      for (int i = 0; i < found.length(); i++) {
        char unit = found.charAt(i);
        // White space between the fields of an object stays.
        if (unit < ' ') escaped.append(unit);
        else escaped.append("\\u%04x".formatted((int) unit));
      }
    }
    return escaped.append(json, end, json.length()).toString();
  }

  /** Whether the text is printable ASCII, as most texts are, of which there may be many. */
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

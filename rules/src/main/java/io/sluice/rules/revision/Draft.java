package io.sluice.rules.revision;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.PlainText;
import io.sluice.rules.event.Field;
import io.sluice.rules.revision.LimitRevision.Settings;
import io.sluice.rules.revision.LimitRevision.UnreadableRevisionException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Builder of a revision (dated change of a limit), which validates each field that is set. For one
 * thread.
 */
final class Draft {
  /** Stands for the effective time of a revision that has none. */
  static final long MISSING = -1;

  static final int MOST_FIELDS = 10;
  static final int MOST_SETTINGS = 50;
  static final int LONGEST_NAME = 200;
  static final int LONGEST_SETTING = 4_000;
  static final int LONGEST_NOTE = 1_000;

  private static final Pattern LIMIT = Pattern.compile("[A-Za-z0-9_-]{1,200}|\\*");
  private static final long LATEST_MS = Arrival.LATEST_MICROS / 1_000;

  /**
   * Lowest number with ten digits: as seconds it is in the year 2001, as milliseconds in January
   * 1970. A time with ten digits is refused, because it is probably in seconds.
   */
  private static final long LEAST_SECONDS = 1_000_000_000L;

  private static final long MOST_SECONDS = 9_999_999_999L;
  private static final int LONGEST_SHOWN = 100;

  private final Map<Field, String> values = new HashMap<>();
  private final Map<String, String> texts = new HashMap<>();
  private final Set<String> back = new HashSet<>();
  private String id;
  private String limit = "";
  private long effectiveAtMs;
  private long untilMs = LimitRevision.FOR_GOOD;
  private String by = "";
  private String note = "";

  /**
   * Starts a revision with an id and an effective time in epoch milliseconds, which apply unless
   * the revision sets its own.
   */
  Draft(String id, long effectiveAtMs) {
    this.id = id;
    this.effectiveAtMs = effectiveAtMs;
  }

  /** Sets the id of the revision; an empty text is ignored. */
  void id(String text) throws UnreadableRevisionException {
    if (!text.isEmpty()) id = line("id", text, LONGEST_NAME);
  }

  void limit(String text) throws UnreadableRevisionException {
    if (!LIMIT.matcher(text).matches()) {
      throw wrong("limit", text, "a limit's name is letters, digits, - and _, or * for all limits");
    }
    limit = text;
  }

  void value(String field, String value) throws UnreadableRevisionException {
    String name = "for." + shown(field);
    if (field.length() > LONGEST_NAME) throw wrong(name, "", "a field has at most 200 characters");
    if (values.size() == MOST_FIELDS) throw wrong(name, value, "at most 10 fields");
    if (value.isEmpty()) throw wrong(name, value, "a value has 1 to 1000 characters");
    String text = text(name, value, Scope.LONGEST_VALUE);
    try {
      if (values.put(Field.parse(text(name, field, LONGEST_NAME)), text) != null) throw twice(name);
    } catch (IllegalArgumentException e) {
      throw wrong(name, value, e.getMessage());
    }
  }

  void set(String setting, String text) throws UnreadableRevisionException {
    String name = newSetting(setting);
    texts.put(setting, text(name, text, LONGEST_SETTING));
  }

  /** Makes the revision reset a setting to its value without the revisions of the same scope. */
  void back(String setting) throws UnreadableRevisionException {
    newSetting(setting);
    back.add(setting);
  }

  private String newSetting(String setting) throws UnreadableRevisionException {
    String name = "set." + shown(setting);
    if (texts.size() + back.size() == MOST_SETTINGS) throw wrong(name, "", "at most 50 settings");
    if (setting.isEmpty()) throw wrong(name, "", "a setting has 1 to 200 characters");
    line(name, setting, LONGEST_NAME);
    if (texts.containsKey(setting) || back.contains(setting)) throw twice(name);
    return name;
  }

  void effectiveAt(long ms) throws UnreadableRevisionException {
    effectiveAtMs = time("effectiveAt", ms);
  }

  void until(long ms) throws UnreadableRevisionException {
    untilMs = time("until", ms);
  }

  void by(String text) throws UnreadableRevisionException {
    by = line("by", text, LONGEST_NAME);
  }

  void note(String text) throws UnreadableRevisionException {
    note = line("note", text, LONGEST_NOTE);
  }

  /**
   * Builds the revision from the fields that were set.
   *
   * @throws UnreadableRevisionException if limit, id or effective time is missing, or the time is
   *     invalid
   */
  LimitRevision made() throws UnreadableRevisionException {
    if (limit.isEmpty())
      throw new UnreadableRevisionException("limit: missing; a limit's name, or *");
    if (id.isEmpty()) throw new UnreadableRevisionException("id: missing; it is the record's key");
    if (effectiveAtMs == MISSING) {
      throw new UnreadableRevisionException("effectiveAt: missing; the time when it begins");
    }
    time("effectiveAt", effectiveAtMs);
    Scope scope = values.isEmpty() ? Scope.WHOLE : Scope.of(values);
    Settings set = new Settings(texts, back);
    return new LimitRevision(id, limit, scope, set, effectiveAtMs, untilMs, by, note);
  }

  String id() {
    return id;
  }

  static long time(String name, String text) throws UnreadableRevisionException {
    try {
      return Instant.parse(text).toEpochMilli();
    } catch (DateTimeException | ArithmeticException e) {
      throw wrong(name, text, "epoch milliseconds, or ISO-8601 such as 2026-11-21T09:00:00Z");
    }
  }

  private static long time(String name, long ms) throws UnreadableRevisionException {
    String given = Long.toString(ms);
    if (ms < 0 || ms >= LATEST_MS) {
      throw wrong(name, given, "epoch milliseconds in the years 1970 to 2200");
    }
    if (ms >= LEAST_SECONDS && ms <= MOST_SECONDS) {
      throw wrong(name, given, "looks like seconds and must be epoch milliseconds");
    }
    return ms;
  }

  /**
   * Validates a text that is shown to users in one line: its length, and that it has no control
   * characters.
   */
  static String line(String name, String text, int most) throws UnreadableRevisionException {
    if (hasControls(text)) throw wrong(name, text, "no control characters");
    return text(name, text, most);
  }

  private static String text(String name, String text, int most)
      throws UnreadableRevisionException {
    if (text.length() > most) throw wrong(name, text, "at most " + most + " characters");
    if (isTorn(text)) throw wrong(name, text, "must not contain half of a surrogate pair");
    return text;
  }

  /**
   * Returns whether a text has control characters. It is a plain loop, since hundreds of thousands
   * of texts are checked and nearly all are valid.
   */
  private static boolean hasControls(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x20 || c == 0x7F || c == 0x85 || c == 0x2028 || c == 0x2029) return true;
    }
    return false;
  }

  private static boolean isTorn(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return text.codePoints().anyMatch(c -> c >= 0xD800 && c <= 0xDFFF);
      }
    }
    return false;
  }

  static UnreadableRevisionException twice(String name) {
    return new UnreadableRevisionException(name + ": is there twice");
  }

  static UnreadableRevisionException wrong(String name, String text, String accepted) {
    return new UnreadableRevisionException(name + "=" + shown(text) + ": " + accepted);
  }

  static String shown(String text) {
    return PlainText.message(text, LONGEST_SHOWN);
  }
}

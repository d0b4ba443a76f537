package io.sluice.rules.limit;

import static java.time.temporal.TemporalAdjusters.previousOrSame;
import static java.util.stream.Collectors.joining;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Weekly opening hours: windows of local time, such as {@code mon-fri 08:00-20:00, sat
 * 10:00-14:00}. Two objects are equal if they are open at the same times, in however many windows
 * these were written. Immutable.
 */
public final class OpeningHours {
  /*
   * A window begins at the first instant at which local clocks show its first time or a later one.
   * It ends at the last instant at which they show its end. So, where clocks are put back, a window
   * opens the first time and closes the last time that clocks show its times. Where they are put
   * forward, times that do not exist are the first instant afterwards; a window that lies between
   * such times does not exist on that day.
   */

  /** Hours that never close. */
  public static final OpeningHours ALWAYS = new OpeningHours(List.of());

  /** Description of the accepted texts. */
  public static final String ACCEPTED =
      "windows of days and times, such as mon-fri 08:00-20:00, sat 10:00-14:00";

  private static final List<String> DAYS = List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");
  private static final int DAY = 24 * 60;
  private static final int WEEK = 7 * DAY;

  private static final Pattern WINDOW =
      Pattern.compile("([a-z]+)(?:-([a-z]+))?\\s+([0-9:]+)-([0-9:]+)");
  private static final Pattern TIME = Pattern.compile("([01][0-9]|2[0-4]):([0-5][0-9])");

  /** Bounds the time to find a window, since limits can also come from a topic. */
  private static final int LONGEST = 1_000;

  private static final int LONGEST_SHOWN = 40;

  /**
   * Weeks around an instant in which the window before it and the window after it are found, even
   * if a zone skips a date.
   */
  private static final int WEEKS_BEFORE = 2;

  private static final int WEEKS_AFTER = 3;

  private final List<Window> windows;

  /**
   * Window of local time, in minutes since the begin of Monday.
   *
   * @param to exclusive; above one week if the window lasts into the next week
   */
  private record Window(int from, int to) {}

  /**
   * Time between two changes of the hours, or the time without end if they never change.
   *
   * @param fromMs first instant, epoch milliseconds
   * @param untilMs instant of the next change, epoch milliseconds
   */
  public record Span(boolean isOpen, long fromMs, long untilMs) {
    static final Span ALWAYS = new Span(true, Long.MIN_VALUE, Long.MAX_VALUE);

    boolean contains(long ms) {
      return fromMs <= ms && ms < untilMs;
    }
  }

  private OpeningHours(List<Window> windows) {
    this.windows = windows;
  }

  /**
   * Parses windows, separated by commas. A blank text is {@link #ALWAYS}.
   *
   * @throws IllegalArgumentException if the text has a mistake; the message says what is accepted
   */
  public static OpeningHours parse(String text) {
    if (text.isBlank()) return ALWAYS;
    if (text.length() > LONGEST) {
      throw new IllegalArgumentException("longer than " + LONGEST + " characters");
    }
    BitSet open = new BitSet(WEEK);
    for (String part : text.split(",", -1)) add(open, part.trim());
    return of(open);
  }

  private static void add(BitSet open, String part) {
    Matcher window = WINDOW.matcher(part.toLowerCase(Locale.ROOT));
    if (!window.matches()) {
      throw new IllegalArgumentException(
          "not a window: " + shown(part) + "; accepted are " + ACCEPTED);
    }
    int first = day(window.group(1));
    int last = window.group(2) == null ? first : day(window.group(2));
    int from = minute(window.group(3));
    int to = minute(window.group(4));
    if (from == DAY)
      throw new IllegalArgumentException("24:00 can only end a window; accepted is 00:00");
    if (from == to) {
      String time = window.group(3);
      throw new IllegalArgumentException(
          "begins and ends at " + time + "; accepted for a whole day is 00:00-24:00");
    }
    int minutes = to > from ? to - from : to - from + DAY;
    for (int i = 0; i <= Math.floorMod(last - first, DAYS.size()); i++) {
      int begin = ((first + i) % DAYS.size()) * DAY + from;
      open.set(begin, Math.min(begin + minutes, WEEK));
      if (begin + minutes > WEEK) open.set(0, begin + minutes - WEEK);
    }
  }

  private static int day(String name) {
    int day = DAYS.indexOf(name);
    if (day >= 0) return day;
    throw new IllegalArgumentException(
        "not a day: " + shown(name) + "; accepted are " + String.join(", ", DAYS));
  }

  private static int minute(String text) {
    Matcher time = TIME.matcher(text);
    int minute = 0;
    boolean isTime = time.matches();
    if (isTime) minute = Integer.parseInt(time.group(1)) * 60 + Integer.parseInt(time.group(2));
    if (isTime && minute <= DAY) return minute;
    throw new IllegalArgumentException(
        "not a time: " + shown(text) + "; accepted are 00:00 to 24:00");
  }

  private static String shown(String text) {
    return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "...";
  }

  private static OpeningHours of(BitSet open) {
    if (open.cardinality() == WEEK) return ALWAYS;
    List<Window> windows = new ArrayList<>();
    // A window that lasts into Monday belongs to the end of the week.
    int begin = open.get(0) && open.get(WEEK - 1) ? open.nextClearBit(0) : 0;
    for (int from = open.nextSetBit(begin); from >= 0; from = open.nextSetBit(from)) {
      int to = open.nextClearBit(from);
      windows.add(new Window(from, to == WEEK ? WEEK + begin : to));
      from = to;
    }
    return new OpeningHours(List.copyOf(windows));
  }

  /** Returns whether the hours never close. */
  public boolean areAlways() {
    return windows.isEmpty();
  }

  /** Returns the longest time between two windows, by clocks that are not changed. */
  public Duration longestClosure() {
    int longest = 0;
    for (int i = 0; i < windows.size(); i++) {
      boolean isLast = i == windows.size() - 1;
      int next = isLast ? windows.get(0).from + WEEK : windows.get(i + 1).from;
      longest = Math.max(longest, next - windows.get(i).to);
    }
    return Duration.ofMinutes(longest);
  }

  /** Returns whether the hours are open at an instant, in epoch milliseconds. */
  public boolean openAt(long ms, ZoneId zone) {
    return spanAt(ms, zone).isOpen();
  }

  /** Returns the first instant, at or after this one, at which the hours are open, in epoch ms. */
  public long nextOpeningMs(long ms, ZoneId zone) {
    Span span = spanAt(ms, zone);
    return span.isOpen() ? ms : span.untilMs();
  }

  /** Returns the time between two changes of the hours that contains an instant. */
  public Span spanAt(long ms, ZoneId zone) {
    if (areAlways()) return Span.ALWAYS;
    ZoneRules rules = zone.getRules();
    Instant instant = Instant.ofEpochMilli(ms);
    LocalDateTime monday =
        LocalDateTime.ofInstant(instant, rules.getOffset(instant))
            .truncatedTo(ChronoUnit.DAYS)
            .with(previousOrSame(DayOfWeek.MONDAY));
    long opensMs = Long.MIN_VALUE;
    long closesMs = Long.MIN_VALUE;
    for (int week = -WEEKS_BEFORE; week <= WEEKS_AFTER; week++) {
      LocalDateTime begin = monday.plusWeeks(week);
      for (Window each : windows) {
        long from = firstMs(begin.plusMinutes(each.from), rules);
        long to = lastMs(begin.plusMinutes(each.to), rules);
        if (from >= to) continue;
        if (from > closesMs) {
          if (ms < closesMs) return new Span(true, opensMs, closesMs);
          if (ms < from) return new Span(false, closesMs, from);
          opensMs = from;
        }
        closesMs = Math.max(closesMs, to);
      }
    }
    throw new IllegalStateException("no window around " + ms + " in " + zone + ": " + this);
  }

  /** Returns the first instant at which clocks show a local time or a later one. */
  private static long firstMs(LocalDateTime local, ZoneRules rules) {
    ZoneOffsetTransition change = rules.getTransition(local);
    if (change != null && change.isGap()) return change.getInstant().toEpochMilli();
    return local.toEpochSecond(change == null ? rules.getOffset(local) : change.getOffsetBefore())
        * 1_000;
  }

  /** Returns the last instant at which clocks show a local time, or skip it. */
  private static long lastMs(LocalDateTime local, ZoneRules rules) {
    ZoneOffsetTransition change = rules.getTransition(local);
    if (change != null && change.isGap()) return change.getInstant().toEpochMilli();
    return local.toEpochSecond(change == null ? rules.getOffset(local) : change.getOffsetAfter())
        * 1_000;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OpeningHours that && windows.equals(that.windows);
  }

  @Override
  public int hashCode() {
    return windows.hashCode();
  }

  /** Returns the hours in their canonical form, which {@link #parse} accepts. */
  @Override
  public String toString() {
    if (areAlways()) return "mon-sun 00:00-24:00";
    Map<String, BitSet> daysByTimes = new LinkedHashMap<>();
    windows.stream()
        .flatMap(each -> days(each).stream())
        .sorted((one, other) -> Integer.compare(one.from, other.from))
        .forEach(
            each ->
                daysByTimes
                    .computeIfAbsent(times(each), times -> new BitSet())
                    .set(each.from / DAY));
    return daysByTimes.entrySet().stream()
        .flatMap(each -> ranges(each.getValue()).stream().map(days -> days + " " + each.getKey()))
        .collect(joining(", "));
  }

  /** Splits a window that is a day or longer at midnights, since a text has no longer windows. */
  private static List<Window> days(Window window) {
    if (window.to - window.from < DAY) return List.of(window);
    List<Window> days = new ArrayList<>();
    int from = window.from;
    while (from < window.to) {
      int to = Math.min(from - from % DAY + DAY, window.to);
      days.add(new Window(from % WEEK, from % WEEK + to - from));
      from = to;
    }
    return days;
  }

  private static String times(Window window) {
    int to = window.to % DAY;
    boolean endsAtMidnight = to == 0;
    return time(window.from % DAY) + "-" + (endsAtMidnight ? "24:00" : time(to));
  }

  private static String time(int minute) {
    return String.format(Locale.ROOT, "%02d:%02d", minute / 60, minute % 60);
  }

  private static List<String> ranges(BitSet days) {
    List<String> ranges = new ArrayList<>();
    for (int first = days.nextSetBit(0); first >= 0; ) {
      int last = days.nextClearBit(first) - 1;
      ranges.add(first == last ? DAYS.get(first) : DAYS.get(first) + "-" + DAYS.get(last));
      first = days.nextSetBit(last + 1);
    }
    return ranges;
  }
}

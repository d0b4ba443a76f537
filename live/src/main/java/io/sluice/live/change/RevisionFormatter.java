package io.sluice.live.change;

import static java.util.stream.Collectors.joining;

import io.sluice.limiter.PlainText;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitRevision.Settings;
import io.sluice.rules.revision.Pause;
import io.sluice.rules.revision.Scope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Formats texts that describe revisions to users. Text from outside becomes one short line. */
public final class RevisionFormatter {
  /** Maximum number of characters of the reason for a refusal. */
  public static final int LONGEST_REASON = 1_000;

  private static final int MOST_NAMED = 20;
  private static final int SHORT_ID = 8;

  private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private RevisionFormatter() {}

  /** Replaces invisible characters by {@code ?} and shortens the text. */
  public static String plain(String text) {
    return PlainText.of(text);
  }

  /**
   * Replaces invisible characters by {@code ?} and keeps at most the given number of characters.
   */
  public static String plain(String text, int most) {
    return PlainText.of(text, most);
  }

  /**
   * Formats a scope, such as {@code userId=shop-7 target=bob}; empty for the scope of a whole
   * limit.
   */
  public static String of(Scope scope) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < scope.values().size(); i++) {
      all.add(plain(scope.fields().fields().get(i) + "=" + scope.values().get(i)));
    }
    return String.join(" ", all);
  }

  /** Formats the settings of a revision, such as {@code burst cleared, quota=10/60s}. */
  public static String of(Settings set) {
    Map<String, String> all = new TreeMap<>();
    for (String name : set.back()) all.put(name, plain(name) + " cleared");
    set.texts().forEach((name, text) -> all.putIfAbsent(name, plain(name + "=" + text)));
    return String.join(", ", all.values());
  }

  /** Formats settings by name, such as {@code quota=10/60s}. */
  public static String of(Map<String, String> texts) {
    return new TreeMap<>(texts)
        .entrySet().stream()
            .map(each -> plain(each.getKey() + "=" + each.getValue()))
            .collect(joining(", "));
  }

  /**
   * Formats the end of pauses, such as {@code until 2026-11-22T18:17:16Z}: that of the last one, or
   * {@code until resumed} if it is not known. Empty if there is no pause.
   */
  public static String paused(List<Pause> pauses) {
    return pauses.stream()
        .max(Comparator.comparingLong(Pause::untilMs))
        .map(last -> "until " + (last.hasEnd() ? time(last.untilMs()) : "resumed"))
        .orElse("");
  }

  /**
   * Returns the first 20 names and the number of the further names; {@code none} if there are no
   * names.
   */
  public static String some(Collection<String> names) {
    if (names.isEmpty()) return "none";
    String some = names.stream().limit(MOST_NAMED).collect(joining(", "));
    return names.size() > MOST_NAMED
        ? some + " and " + (names.size() - MOST_NAMED) + " more"
        : some;
  }

  /** Formats the start, the scope and the end of a revision. */
  static String when(LimitRevision revision) {
    String until = revision.untilMs() == LimitRevision.FOR_GOOD ? "" : end(revision);
    return from(revision.effectiveAtMs(), revision.scope()) + until;
  }

  /** Formats a start time in epoch milliseconds, and a scope. */
  static String from(long ms, Scope scope) {
    String whom = scope.isWhole() ? "" : ", for " + of(scope);
    return ", from " + RevisionFormatter.time(ms) + whom;
  }

  private static String end(LimitRevision revision) {
    return ", until " + RevisionFormatter.time(revision.untilMs());
  }

  /**
   * Returns a short form of a revision's id, which {@code undo} accepts; the whole id if it is not
   * a UUID.
   */
  public static String id(String id) {
    return UUID.matcher(id).matches() ? id.substring(0, SHORT_ID) : plain(id);
  }

  /** Formats a time in UTC, with milliseconds unless they are 0. */
  public static String time(long ms) {
    return Instant.ofEpochMilli(ms).toString();
  }

  /**
   * Formats a duration in its one or two largest units, such as {@code 2.5 s} or {@code 1 min 30
   * s}. The duration is rounded up, so that a retry after it is not too early.
   */
  public static String period(long ms) {
    if (ms < 1_000) return ms + " ms";
    long tenths = roundedUp(ms, 100);
    if (tenths < 600) return tenths / 10 + "." + tenths % 10 + " s";
    long seconds = roundedUp(ms, 1_000);
    if (seconds < 3_600) return inUnits(seconds, 60, " min", " s");
    long minutes = roundedUp(seconds, 60);
    if (minutes < 48 * 60) return inUnits(minutes, 60, " h", " min");
    return inUnits(roundedUp(minutes, 60), 24, " d", " h");
  }

  private static long roundedUp(long number, long divisor) {
    return number / divisor + (number % divisor > 0 ? 1 : 0);
  }

  private static String inUnits(long small, int inLarge, String large, String rest) {
    String whole = small / inLarge + large;
    return small % inLarge == 0 ? whole : whole + " " + small % inLarge + rest;
  }
}

package io.sluice.topology.change;

import static java.util.stream.Collectors.joining;

import io.sluice.limiter.PlainText;
import io.sluice.topology.revision.LimitRevision;
import io.sluice.topology.revision.LimitRevision.Settings;
import io.sluice.topology.revision.Scope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Words for what revisions hold. What comes from outside is one line, and not too long. */
public final class Words {
  /** Of the reason why something is refused. */
  public static final int LONGEST_REASON = 1_000;

  private static final int MOST_NAMED = 20;
  private static final int SHORT_ID = 8;

  private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private Words() {}

  /** With {@code ?} in place of what cannot be seen. */
  public static String plain(String text) {
    return PlainText.of(text);
  }

  /** The same, of so many characters at most. */
  public static String plain(String text, int most) {
    return PlainText.of(text, most);
  }

  /** Such as {@code userId=shop-7 target=bob}; empty for a limit as a whole. */
  public static String of(Scope scope) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < scope.values().size(); i++) {
      all.add(plain(scope.fields().fields().get(i) + "=" + scope.values().get(i)));
    }
    return String.join(" ", all);
  }

  /** Such as {@code burst back, quota=10/60s}. */
  public static String of(Settings set) {
    Map<String, String> all = new TreeMap<>();
    for (String name : set.back()) all.put(name, plain(name) + " back");
    set.texts().forEach((name, text) -> all.putIfAbsent(name, plain(name + "=" + text)));
    return String.join(", ", all.values());
  }

  /** Such as {@code quota=10/60s}. */
  public static String of(Map<String, String> texts) {
    return new TreeMap<>(texts)
        .entrySet().stream()
            .map(each -> plain(each.getKey() + "=" + each.getValue()))
            .collect(joining(", "));
  }

  /** Some of these names, and how many more there are; {@code none} if there is none. */
  public static String some(Collection<String> names) {
    if (names.isEmpty()) return "none";
    String some = names.stream().limit(MOST_NAMED).collect(joining(", "));
    return names.size() > MOST_NAMED
        ? some + " and " + (names.size() - MOST_NAMED) + " more"
        : some;
  }

  /** From when to when, and for whom. */
  static String when(LimitRevision revision) {
    String until = revision.untilMs() == LimitRevision.FOR_GOOD ? "" : end(revision);
    return from(revision.effectiveAtMs(), revision.scope()) + until;
  }

  /** From when, and for whom. */
  static String from(long ms, Scope scope) {
    String whom = scope.isWhole() ? "" : ", for " + of(scope);
    return ", from " + Words.time(ms) + whom;
  }

  private static String end(LimitRevision revision) {
    return ", until " + Words.time(revision.untilMs());
  }

  /** The beginning of an id, as {@code undo} takes it; all of it if it is not one of ours. */
  public static String id(String id) {
    return UUID.matcher(id).matches() ? id.substring(0, SHORT_ID) : plain(id);
  }

  /** In UTC, with milliseconds where there are any. */
  public static String time(long ms) {
    return Instant.ofEpochMilli(ms).toString();
  }

  /** A few milliseconds, or seconds with a tenth, or whole ones, up to days. */
  public static String period(long ms) {
    if (ms < 1_000) return ms + " ms";
    if (ms < 60_000) return ms / 1_000 + "." + ms % 1_000 / 100 + " s";
    if (ms < 7_200_000) return ms / 60_000 + " min";
    if (ms < 172_800_000) return ms / 3_600_000 + " h";
    return ms / 86_400_000 + " d";
  }
}

package io.sluice.cli.limits;

import static java.util.stream.Collectors.joining;

import io.sluice.topology.revision.LimitRevision;
import io.sluice.topology.revision.Scope;
import io.sluice.topology.revision.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Words for what revisions hold. What comes from outside is one line, and not too long. */
public final class Words {
  static final int LONGEST_REASON = 1_000;
  private static final int LONGEST = 100;
  private static final int SHORT_ID = 8;

  /** What ends a line, moves the cursor, or turns the direction of writing. */
  private static final Pattern UNSEEN = Pattern.compile("[\\p{Cntrl}\\p{Cf}\\u0085\\u2028\\u2029]");

  private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private Words() {}

  /** With {@code ?} in place of what cannot be seen. */
  public static String plain(String text) {
    return plain(text, LONGEST);
  }

  static String plain(String text, int most) {
    String begin = text.length() > most ? text.substring(0, most) + "..." : text;
    return UNSEEN.matcher(begin).replaceAll("?");
  }

  /** Such as {@code userId=shop-7 target=bob}; empty for a limit as a whole. */
  static String of(Scope scope) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < scope.values().size(); i++) {
      all.add(plain(scope.fields().fields().get(i) + "=" + scope.values().get(i)));
    }
    return String.join(" ", all);
  }

  /** Such as {@code burst back, quota=10/60s}. */
  static String of(Settings set) {
    Map<String, String> all = new TreeMap<>();
    for (String name : set.back()) all.put(name, plain(name) + " back");
    set.texts().forEach((name, text) -> all.putIfAbsent(name, plain(name + "=" + text)));
    return String.join(", ", all.values());
  }

  /** Such as {@code quota=10/60s}. */
  static String of(Map<String, String> texts) {
    return new TreeMap<>(texts)
        .entrySet().stream()
            .map(each -> plain(each.getKey() + "=" + each.getValue()))
            .collect(joining(", "));
  }

  /** From when to when, and for whom. */
  static String when(LimitRevision revision) {
    String until = revision.untilMs() == LimitRevision.FOR_GOOD ? "" : end(revision);
    return from(revision.effectiveAtMs(), revision.scope()) + until;
  }

  /** From when, and for whom. */
  static String from(long ms, Scope scope) {
    String whom = scope.isWhole() ? "" : ", for " + of(scope);
    return ", from " + Times.show(ms) + whom;
  }

  private static String end(LimitRevision revision) {
    return ", until " + Times.show(revision.untilMs());
  }

  /** The beginning of an id, as {@code undo} takes it; all of it if it is not one of ours. */
  public static String id(String id) {
    return UUID.matcher(id).matches() ? id.substring(0, SHORT_ID) : plain(id);
  }
}

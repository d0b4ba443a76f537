package io.sluice.live.change;

import static java.util.stream.Collectors.joining;

import io.sluice.rules.event.Event;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.TreatedLimit;
import io.sluice.rules.settings.LimitWords;
import io.sluice.rules.settings.LimitsConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Description of the effect that a change has on the limits at an instant. */
final class Effect {
  private final LimitWords words;
  private final LimitsInForce before;
  private final LimitsInForce after;

  Effect(LimitsConfig config, LimitsInForce before, LimitsInForce after) {
    words = new LimitWords(config);
    this.before = before;
    this.after = after;
  }

  /**
   * Returns a line for each limit that the revision changes.
   *
   * @param atMs instant at which the limits before and after the change are compared
   * @param resets whether usage is reset at that instant
   */
  List<String> lines(LimitRevision revision, long atMs, boolean resets) {
    List<String> names = names(revision, atMs);
    if (names.isEmpty()) return List.of("*: no limit is in force at that time");
    return names.stream().map(each -> each + ": " + change(each, revision, atMs, resets)).toList();
  }

  private List<String> names(LimitRevision revision, long atMs) {
    if (!revision.isForEveryLimit()) return List.of(revision.limit());
    return after.at(atMs).all().stream().map(Limit::name).toList();
  }

  private String change(String limit, LimitRevision revision, long atMs, boolean resets) {
    List<TreatedLimit> was = treatedLimit(before, limit, revision, atMs);
    List<TreatedLimit> is = treatedLimit(after, limit, revision, atMs);
    String reset = resets ? "usage is reset" : "";
    if (was.equals(is)) {
      return reset.isEmpty() ? "nothing changes: " + String.join(", ", words(is)) : reset;
    }
    String words = difference(words(was), words(is));
    String or = words.isEmpty() ? RevisionFormatter.of(revision.set()) : words;
    return reset.isEmpty() ? or : reset + ", " + or;
  }

  /**
   * Returns the limit with its settings for the events of the revision, in a list of one; empty if
   * the limit is not in force at that instant.
   */
  private static List<TreatedLimit> treatedLimit(
      LimitsInForce limits, String limit, LimitRevision revision, long atMs) {
    boolean isThere = limits.at(atMs).all().stream().anyMatch(each -> each.name().equals(limit));
    if (!isThere) return List.of();
    Event event = revision.scope().inForm(limits.forms()).event();
    return List.of(limits.treatedLimit(limit, event, atMs));
  }

  private List<String> words(List<TreatedLimit> treatedLimits) {
    if (treatedLimits.isEmpty()) return List.of("not in force");
    TreatedLimit treatedLimit = treatedLimits.get(0);
    String treatment =
        switch (treatedLimit.treatment()) {
          case METER -> "metered";
          case ALLOW -> "exempt";
          case REJECT -> "denied";
          case PAUSE -> "paused";
        };
    List<String> parts = new ArrayList<>(words.words(treatedLimit.limit()));
    parts.add(treatment);
    parts.removeIf(String::isEmpty);
    return parts;
  }

  /**
   * Returns the parts of the descriptions that differ, as they were before and after the change.
   */
  private static String difference(List<String> was, List<String> is) {
    if (was.size() != is.size()) return join(was.stream()) + " -> " + join(is.stream());
    List<Integer> others =
        IntStream.range(0, was.size()).filter(i -> !was.get(i).equals(is.get(i))).boxed().toList();
    if (others.isEmpty()) return "";
    return join(others.stream().map(was::get)) + " -> " + join(others.stream().map(is::get));
  }

  private static String join(Stream<String> words) {
    return words.collect(joining(", "));
  }
}

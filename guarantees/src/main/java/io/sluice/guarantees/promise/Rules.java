package io.sluice.guarantees.promise;

import io.sluice.guarantees.scenario.ChangingLimits;
import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.Revision;
import io.sluice.guarantees.scenario.Revision.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;

/**
 * Rules that may apply to one event under the revisions (dated changes of limits) known so far;
 * revisions are added one by one.
 */
final class Rules {
  static final String ALLOW = "allow";
  static final String REJECT = "reject";
  static final String METER = "meter";

  /** Precedence of revisions that apply to the same limit and user: the last one wins. */
  private static final Comparator<Revision> ORDER =
      Comparator.comparingLong(Revision::fromMs).thenComparing(Revision::id);

  private final Described event;
  private final Map<String, Revision> known = new HashMap<>();

  Rules(Described event) {
    this.event = event;
  }

  /**
   * Adds a revision (a dated change of limits); returns whether it may change the event's rules
   * between two times, in epoch milliseconds.
   */
  boolean learn(Revision revision, long fromMs, long toMs) {
    if (!concerns(revision)) return false;
    boolean gone = revision.kind() == Kind.TOMBSTONE;
    Revision before = gone ? known.remove(revision.id()) : known.put(revision.id(), revision);
    return (!gone && holds(revision, fromMs, toMs))
        || (before != null && holds(before, fromMs, toMs));
  }

  private boolean concerns(Revision revision) {
    if (revision.kind() == Kind.REFUSED || revision.kind() == Kind.GARBAGE) return false;
    boolean limit =
        revision.limit().equals(event.action()) || revision.limit().equals(Revision.EVERY_LIMIT);
    return limit && (revision.user().isEmpty() || revision.user().equals(event.user()));
  }

  private static boolean holds(Revision revision, long fromMs, long toMs) {
    return revision.fromMs() <= toMs && fromMs < revision.untilMs();
  }

  /**
   * Returns all rules that apply to the event at some time between {@code fromMs} and {@code toMs},
   * inclusive.
   */
  Set<String> between(long fromMs, long toMs) {
    NavigableMap<Long, List<Revision>> turns = new TreeMap<>(Map.of(fromMs, new ArrayList<>()));
    for (Revision each : near(fromMs, toMs)) {
      turn(turns, Math.max(each.fromMs(), fromMs)).add(each);
      if (each.untilMs() <= toMs) turn(turns, each.untilMs()).add(each);
    }
    NavigableSet<Revision> active = new TreeSet<>(ORDER);
    Set<String> answers = new TreeSet<>();
    turns.forEach(
        (ms, turning) -> {
          for (Revision each : turning) {
            if (each.isActiveAt(ms)) active.add(each);
            else active.remove(each);
          }
          answers.add(by(active));
        });
    return answers;
  }

  private static List<Revision> turn(Map<Long, List<Revision>> turns, long ms) {
    return turns.computeIfAbsent(ms, absent -> new ArrayList<>());
  }

  /**
   * Returns the revisions that are in force for a part of the given time, and for each limit the
   * last of the revisions that are in force for all of it.
   */
  private List<Revision> near(long fromMs, long toMs) {
    List<Revision> near = new ArrayList<>();
    Map<String, Revision> lasting = new HashMap<>();
    for (Revision each : known.values()) {
      if (!holds(each, fromMs, toMs)) continue;
      boolean lasts = each.fromMs() <= fromMs && each.untilMs() > toMs;
      if (lasts) lasting.merge(each.limit(), each, BinaryOperator.maxBy(ORDER));
      else near.add(each);
    }
    near.addAll(lasting.values());
    return near;
  }

  /** Returns the rule that results from the revisions in force: a quota, or a verdict. */
  private String by(NavigableSet<Revision> active) {
    Optional<String> said = said(active, event.action());
    return event.action().equals(ChangingLimits.VERDICTS)
        ? said.or(() -> said(active, Revision.EVERY_LIMIT)).orElse(METER)
        : said.orElse(ChangingLimits.quota(ChangingLimits.PERMITS_OF_FILE));
  }

  /**
   * Returns the value that the last revision in force sets for a limit; empty if there is no
   * revision, or if the last one restores the configured value.
   */
  private static Optional<String> said(NavigableSet<Revision> active, String limit) {
    return active.descendingSet().stream()
        .filter(each -> each.limit().equals(limit))
        .findFirst()
        .map(Revision::text)
        .filter(text -> !text.isEmpty());
  }
}

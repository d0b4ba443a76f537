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
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

/** The rules for one event by the revisions that are known, of which more and more become known. */
final class Rules {
  static final String ALLOW = "allow";
  static final String REJECT = "reject";
  static final String METER = "meter";

  /** In which those of one scope add up. */
  private static final Comparator<Revision> ORDER =
      Comparator.comparingLong(Revision::fromMs).thenComparing(Revision::id);

  private final Described event;
  private final Map<String, Revision> known = new HashMap<>();

  Rules(Described event) {
    this.event = event;
  }

  /** Takes note of it, and returns whether that can have changed what holds between two times. */
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

  /** All that the event can be judged by between two times, both included. */
  Stream<String> between(long fromMs, long toMs) {
    List<Revision> near = near(fromMs, toMs);
    TreeSet<Long> instants = new TreeSet<>(List.of(fromMs));
    for (Revision each : near) {
      if (each.fromMs() > fromMs) instants.add(each.fromMs());
      if (each.untilMs() <= toMs) instants.add(each.untilMs());
    }
    return instants.stream().map(ms -> at(near, ms));
  }

  /** Those that hold for a part of that time, and of those that hold for all of it each last. */
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

  /** A quota, or what is to be done with the event. */
  private String at(List<Revision> near, long ms) {
    Optional<String> said = said(near, event.action(), ms);
    return event.action().equals(ChangingLimits.VERDICTS)
        ? said.or(() -> said(near, Revision.EVERY_LIMIT, ms)).orElse(METER)
        : said.orElse(ChangingLimits.quota(ChangingLimits.PERMITS_OF_FILE));
  }

  /** What the last of this limit says; nothing if it says that what holds without it does. */
  private static Optional<String> said(List<Revision> near, String limit, long ms) {
    return near.stream()
        .filter(each -> each.limit().equals(limit) && each.isActiveAt(ms))
        .max(ORDER)
        .map(Revision::text)
        .filter(text -> !text.isEmpty());
  }
}

package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.evidence.Revisions;
import io.sluice.guarantees.evidence.Revisions.Acknowledged;
import io.sluice.guarantees.evidence.Revisions.Span;
import io.sluice.guarantees.scenario.Described;
import java.util.List;
import java.util.Set;

/**
 * Finds the rules by which an event under a changing limit may be judged: mostly one rule; several
 * if the event was published before every instance must have read a revision (a dated change of a
 * limit).
 */
final class Answers {
  /*
   * Time, in milliseconds, after which every instance knows an acknowledged revision, while the
   * broker is up. An instance meters nothing unless it has read the topic of limits to its end
   * within this time. So a revision that was acknowledged this long before an event was published
   * is known to the instance that judges the event.
   *
   * While the broker is down this is different: an instance that cannot read the topic for 5 s
   * continues with the revisions that it knows, until its clients have reconnected. Revisions
   * acknowledged in such a period are uncertain for events that were published in the period. An
   * instance that is frozen in the period may have given up waiting before, so the period lasts
   * until this instance has recovered, too.
   *
   * The topic is ordered: an instance that knows a revision knows all earlier ones.
   */
  static final long READ_MS = 1_000;

  /**
   * Time in milliseconds in which a Kafka client reconnects on a busy machine after the broker is
   * back.
   */
  static final long FOUND_AGAIN_MS = 5_000;

  private final List<Acknowledged> all;
  private final List<Span> blind;

  Answers(History history) {
    Revisions revisions = history.revisions();
    all = revisions.all();
    blind = revisions.brokerGone().stream().map(gone -> blind(gone, revisions.frozen())).toList();
  }

  private static Span blind(Span gone, List<Span> frozen) {
    Span around = new Span(gone.fromMs() - READ_MS, gone.toMs() + FOUND_AGAIN_MS);
    long fromMs = around.fromMs();
    long toMs = around.toMs();
    for (Span each : frozen) {
      if (!each.touches(around)) continue;
      fromMs = Math.min(fromMs, each.fromMs() - READ_MS);
      toMs = Math.max(toMs, each.toMs() + FOUND_AGAIN_MS);
    }
    return new Span(fromMs, toMs);
  }

  /**
   * Returns every rule by which an event may be judged at some time between {@code fromMs} and
   * {@code toMs}, inclusive.
   */
  Set<String> of(Described event, long fromMs, long toMs) {
    int sure = sure(event.publishedAtMs());
    Rules rules = new Rules(event);
    for (Acknowledged each : all.subList(0, sure)) rules.learn(each.revision(), fromMs, toMs);
    Set<String> answers = rules.between(fromMs, toMs);
    for (Acknowledged each : all.subList(sure, all.size())) {
      if (rules.learn(each.revision(), fromMs, toMs)) {
        answers.addAll(rules.between(fromMs, toMs));
      }
    }
    return answers;
  }

  /**
   * Returns the rule by which an instance that knows all revisions judges an event at a time, as in
   * the replay.
   */
  String ofAll(Described event, long atMs) {
    Rules rules = new Rules(event);
    for (Acknowledged each : all) rules.learn(each.revision(), atMs, atMs);
    return rules.between(atMs, atMs).iterator().next();
  }

  /**
   * Whether all instances judge the event by the same rule at the event's own time, regardless of
   * the revisions that they may not know yet.
   */
  boolean isSure(Kept input) {
    long atMs = input.event().occurredAtMs();
    return of(input.event(), atMs, atMs).size() == 1;
  }

  /**
   * Returns how many of the first revisions (dated changes of limits) every instance knows when it
   * judges an event published at this time.
   */
  private int sure(long publishedAtMs) {
    long byMs = knownUpToMs(publishedAtMs);
    return (int) all.stream().takeWhile(each -> each.atMs() <= byMs).count();
  }

  /**
   * Returns the time up to which a revision (a dated change of limits) was acknowledged if every
   * instance knows it at an instant, in epoch milliseconds.
   */
  long knownUpToMs(long atMs) {
    // An event at the beginning of such a period may be judged before the instance is cut off.
    return Math.min(beforeBlindness(atMs), atMs - READ_MS);
  }

  /**
   * Returns the latest time, not after {@code ms}, at which no instance was cut off from the topic
   * of limits.
   */
  private long beforeBlindness(long ms) {
    for (Span each : blind) {
      if (each.fromMs() < ms && ms <= each.toMs()) return beforeBlindness(each.fromMs());
    }
    return ms;
  }
}

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
 * What an event under a changing limit may be judged by: mostly one rule; several if it happened
 * before every instance had surely read a revision that held then.
 */
final class Answers {
  /*
   * An instance meters nothing if it has not found the topic read to its end within the last second.
   * So what was acknowledged a second before an event was published is known to whoever judges it.
   * It is otherwise while the broker is gone: an instance that cannot read the topic for 5 s goes on
   * with what it knows, until its clients have found the broker again. Of what was acknowledged in
   * such a time, nothing is sure for the events that were published in it. An instance that is frozen
   * in it may have given up waiting before, so this time lasts until that one is back as well.
   *
   * The topic has an order: whoever knows a revision knows all before it.
   */
  static final long READ_MS = 1_000;

  /** For a client to connect again, on a busy machine. */
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

  /** Every rule by which it may be judged, if it is judged between two times, both included. */
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

  /** By whoever knows every revision. */
  String ofAll(Described event, long atMs) {
    Rules rules = new Rules(event);
    for (Acknowledged each : all) rules.learn(each.revision(), atMs, atMs);
    return rules.between(atMs, atMs).iterator().next();
  }

  /** Whether it is judged by one rule, whoever judges it, and by its own time. */
  boolean isSure(Kept input) {
    long atMs = input.event().occurredAtMs();
    return of(input.event(), atMs, atMs).size() == 1;
  }

  /** How many revisions are known to whoever judges what was published then. */
  private int sure(long publishedAtMs) {
    long surelyMs = beforeBlindness(publishedAtMs);
    long byMs = surelyMs == publishedAtMs ? publishedAtMs - READ_MS : surelyMs;
    return (int) all.stream().takeWhile(each -> each.atMs() <= byMs).count();
  }

  /** The latest time until then at which nobody was blind. */
  private long beforeBlindness(long ms) {
    for (Span each : blind) {
      if (each.fromMs() < ms && ms <= each.toMs()) return beforeBlindness(each.fromMs());
    }
    return ms;
  }
}

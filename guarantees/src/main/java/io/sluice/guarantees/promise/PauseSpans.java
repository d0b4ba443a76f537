package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Revisions.Acknowledged;
import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.QueueLimit;
import io.sluice.guarantees.scenario.Revision;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Times in which revisions (dated changes of limits) pause limits with a queue. */
final class PauseSpans {
  private final Answers answers;
  private final Map<String, List<Span>> byLimit = new HashMap<>();

  /**
   * Time of a pause in epoch milliseconds. A pause that was ended early has two ends; an instance
   * may know one of them or both.
   *
   * @param user the only user whose events are paused; empty for all users
   * @param acknowledgedMs time at which the broker had the pause
   */
  record Span(String user, long fromMs, long leastUntilMs, long mostUntilMs, long acknowledgedMs) {
    private static Span of(Acknowledged first) {
      Revision revision = first.revision();
      long untilMs = revision.untilMs();
      return new Span(revision.user(), revision.fromMs(), untilMs, untilMs, first.atMs());
    }

    private Span and(Span later) {
      return new Span(
          user,
          Math.max(fromMs, later.fromMs),
          Math.min(leastUntilMs, later.leastUntilMs),
          Math.max(mostUntilMs, later.mostUntilMs),
          acknowledgedMs);
    }

    private boolean concerns(Described event) {
      return user.isEmpty() || user.equals(event.user());
    }
  }

  PauseSpans(History history) {
    answers = new Answers(history);
    Map<String, Map<String, Span>> byId = new HashMap<>();
    for (Acknowledged each : history.revisions().all()) {
      Revision revision = each.revision();
      if (!revision.isPause() || revision.kind() != Revision.Kind.HOLDS) continue;
      byId.computeIfAbsent(revision.limit(), limit -> new HashMap<>())
          .merge(revision.id(), Span.of(each), Span::and);
    }
    byId.forEach((limit, spans) -> byLimit.put(limit, new ArrayList<>(spans.values())));
  }

  /** Returns all pauses of a limit. */
  Collection<Span> of(QueueLimit limit) {
    return byLimit.getOrDefault(limit.name(), List.of());
  }

  /** Whether an instance may pause an event under a limit at some time in a span. */
  boolean mayHold(QueueLimit limit, Described event, long fromMs, long toMs) {
    return of(limit).stream()
        .anyMatch(
            each -> each.concerns(event) && each.fromMs() <= toMs && fromMs <= each.mostUntilMs());
  }

  /**
   * Returns the pause that every instance knows, and by which an event must wait under a limit.
   *
   * @param marginMs time in milliseconds from the begin of the pause and from the instant at which
   *     all instances know it
   */
  Optional<Span> sure(QueueLimit limit, Described event, long atMs, long marginMs) {
    return of(limit).stream()
        .filter(each -> each.concerns(event))
        .filter(each -> each.fromMs() + marginMs <= atMs && atMs < each.leastUntilMs())
        .filter(each -> each.acknowledgedMs() <= answers.knownUpToMs(atMs - marginMs))
        .findFirst();
  }
}

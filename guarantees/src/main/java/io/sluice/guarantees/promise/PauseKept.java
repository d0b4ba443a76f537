package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.evidence.Revisions.Span;
import io.sluice.guarantees.scenario.QueueLimit;
import io.sluice.guarantees.scenario.QueueLimits;
import io.sluice.guarantees.scenario.Verdicts;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Guarantee that no event leaves under a limit with a queue while a revision (a dated change of the
 * limit) that all instances know pauses it. Afterwards events go on to leave.
 */
final class PauseKept implements Guarantee {
  /** Maximum time in milliseconds from the question to Redis whether an event may leave. */
  private static final long MARGIN_MS = 1_000;

  /** Time in milliseconds after the end of a pause in which an event shows that releases go on. */
  private static final long GOES_ON_MS = 2_000;

  /** Returns the number of events that left soon after the end of a pause. */
  @Override
  public long cases(History history) {
    PauseSpans pauses = new PauseSpans(history);
    return released(history)
        .filter(
            end ->
                QueueLimits.of(end.event()).stream()
                    .anyMatch(limit -> isFirstAfter(pauses, limit, end)))
        .count();
  }

  private static boolean isFirstAfter(PauseSpans pauses, QueueLimit limit, Kept end) {
    long atMs = end.number(Verdicts.RELEASED_AT);
    boolean waited = end.event().publishedAtMs() < atMs - GOES_ON_MS;
    return waited
        && pauses.of(limit).stream()
            .anyMatch(
                each ->
                    each.mostUntilMs() <= atMs
                        && atMs < each.mostUntilMs() + GOES_ON_MS
                        && pauses
                            .sure(limit, end.event(), each.leastUntilMs() - 1, MARGIN_MS)
                            .isPresent());
  }

  @Override
  public Stream<String> violations(History history) {
    PauseSpans pauses = new PauseSpans(history);
    List<Span> frozen = history.revisions().frozen();
    Map<Identity, Long> records =
        history.inputs().stream()
            .collect(
                Collectors.groupingBy(input -> Identity.of(input.event()), Collectors.counting()));
    return released(history)
        .filter(end -> records.getOrDefault(Identity.of(end.event()), 0L) == 1)
        .flatMap(
            end ->
                QueueLimits.of(end.event()).stream()
                    .flatMap(limit -> leak(pauses, frozen, limit, end)));
  }

  private static Stream<Kept> released(History history) {
    return history.allowed().stream()
        .filter(end -> QueueLimits.isFor(end.event()))
        .filter(end -> !end.header(Verdicts.RELEASED_AT).isEmpty());
  }

  private static Stream<String> leak(
      PauseSpans pauses, List<Span> frozen, QueueLimit limit, Kept end) {
    long atMs = end.number(Verdicts.RELEASED_AT);
    return pauses
        .sure(limit, end.event(), atMs, MARGIN_MS)
        .filter(pause -> !limit.inRedis() || !mayBeOld(frozen, pause, atMs))
        .map(
            pause ->
                "%s was released at %d, though %s was paused from %d to %d, acknowledged at %d"
                    .formatted(
                        end,
                        atMs,
                        limit.name(),
                        pause.fromMs(),
                        pause.leastUntilMs(),
                        pause.acknowledgedMs()))
        .stream();
  }

  /**
   * Whether an instance may have stood still between the decision to ask Redis, before the pause,
   * and the question.
   */
  private static boolean mayBeOld(List<Span> frozen, PauseSpans.Span pause, long atMs) {
    Span since = new Span(pause.fromMs() - MARGIN_MS, atMs);
    return frozen.stream().anyMatch(each -> each.touches(since));
  }
}

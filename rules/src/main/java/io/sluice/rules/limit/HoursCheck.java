package io.sluice.rules.limit;

import io.sluice.limiter.Change;
import io.sluice.limiter.Rule;
import io.sluice.limiter.Schedule.Phase;
import io.sluice.rules.event.Event;
import io.sluice.rules.limit.Limit.Exceeded;
import io.sluice.rules.limit.OpeningHours.Span;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Check of the opening hours of an event's limits, before any of the limits is asked or charged.
 */
final class HoursCheck {
  /*
   * A closed limit refuses the event by itself, so the other limits are not asked: that would cost
   * a round trip to Redis for each event of a night. So the retry-after is the first instant at
   * which all limits of the event are open, even if another limit needs longer.
   *
   * A limit that delays reserves a slot, and the event leaves at the slot without a second look. So
   * the slots of an event end where one of its limits closes. An event that finds no slot before
   * is metered again when all its limits are open.
   */

  /** Bounds the search for an instant at which all limits are open; there may be none. */
  private static final int MOST_STEPS = 100;

  private final long ms;
  private final Event event;

  /** Enforced limits of the event that have opening hours. */
  private final List<Limit> enforced;

  private HoursCheck(long ms, Event event, List<Limit> enforced) {
    this.ms = ms;
    this.event = event;
    this.enforced = enforced;
  }

  static Matching openAt(long ms, Event event, Matching matching) {
    List<Limit> withHours = new ArrayList<>(0);
    boolean hasClosedShadow = false;
    for (List<Limit> limits : List.of(matching.stored(), matching.remote())) {
      for (Limit limit : limits) {
        if (limit.hours().areAlways()) continue;
        if (!limit.rule().shadow()) withHours.add(limit);
        else hasClosedShadow |= limit.isClosed(event, ms);
      }
    }
    Matching open =
        hasClosedShadow
            ? matching.without(limit -> limit.rule().shadow() && limit.isClosed(event, ms))
            : matching;
    return withHours.isEmpty() ? open : new HoursCheck(ms, event, withHours).check(open);
  }

  private Matching check(Matching open) {
    List<Limit> closed = enforced.stream().filter(limit -> limit.isClosed(event, ms)).toList();
    if (!closed.isEmpty()) return Matching.settled(closed(closed));
    long closesAtMs = enforced.stream().mapToLong(this::untilMs).min().orElseThrow();
    return open.all().stream().anyMatch(limit -> mayPass(limit, closesAtMs))
        ? open.with(limit -> until(closesAtMs, limit))
        : open;
  }

  private long untilMs(Limit limit) {
    return limit.hours().spanAt(event, ms).untilMs();
  }

  /**
   * Returns the verdict of closed limits: that of a limit that rejects the event, or of the limit
   * that opens last.
   */
  private Verdict closed(List<Limit> closed) {
    long opensAtMs = opensAtMs(ms);
    LimitDecision deciding =
        closed.stream()
            .sorted(Comparator.comparingLong(this::untilMs).reversed())
            .map(limit -> LimitDecision.closed(limit, event, ms, opensAtMs))
            .min(Comparator.comparing(each -> each.kind() != Verdict.Kind.REJECTED))
            .orElseThrow();
    return Verdict.closed(deciding);
  }

  /** Returns the first instant, at or after this one, at which all limits are open. */
  private long opensAtMs(long fromMs) {
    long atMs = fromMs;
    for (int steps = 0; steps < MOST_STEPS; steps++) {
      long before = atMs;
      for (Limit limit : enforced) {
        Span span = limit.hours().spanAt(event, atMs);
        if (!span.isOpen()) atMs = span.untilMs();
      }
      if (atMs == before) break;
    }
    return atMs;
  }

  /** Returns whether a limit could reserve a slot at or after a closing. */
  private boolean mayPass(Limit limit, long closesAtMs) {
    Rule rule = limit.rule();
    return rule.shapes() && !rule.shadow() && patienceMicros(limit) >= micros(closesAtMs);
  }

  private long patienceMicros(Limit limit) {
    return limit.rule().at(ms * 1_000).patienceMicros();
  }

  /** Returns the time until an instant, in microseconds. */
  private long micros(long untilMs) {
    return (untilMs - ms) * 1_000;
  }

  /** Returns a copy of a limit that reserves no slot at or after a closing. */
  private Limit until(long closesAtMs, Limit limit) {
    if (!mayPass(limit, closesAtMs)) return limit;
    long reopensAtMs = opensAtMs(closesAtMs);
    return limit
        .with(waitingAtMost(micros(closesAtMs) - 1, limit.rule()))
        .with(new Exceeded.DelayToReopening(patienceMicros(limit), reopensAtMs));
  }

  /**
   * Returns a copy of a rule with shorter waits. They are changes of the rule, because Redis tells
   * by the rule's own numbers whether it has judged an event by this rule before.
   */
  private static Rule waitingAtMost(long micros, Rule rule) {
    List<Change> changes = new ArrayList<>();
    changes.add(numbers(0, rule, micros));
    for (Phase each : rule.schedule().phases()) {
      if (each.anew()) changes.add(new Change.Reset(each.fromMicros()));
      changes.add(numbers(each.fromMicros(), each.rule(), micros));
    }
    return rule.changing(changes);
  }

  private static Change numbers(long fromMicros, Rule rule, long mostMicros) {
    long waitMicros = Math.min(mostMicros, rule.patienceMicros());
    return new Change.Numbers(fromMicros, rule.quota(), waitMicros, rule.blockMicros());
  }
}

package io.sluice.topology.queue;

import io.sluice.limiter.EventHash;
import io.sluice.rules.event.Event;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.Exceeded;
import io.sluice.rules.limit.LimitDecision;
import io.sluice.rules.limit.Matching;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.Pause;
import io.sluice.topology.queue.Gate.Refusal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Checks whether the limits of an event are open, before any of them is asked: neither outside of
 * their opening hours nor paused.
 *
 * @param epoch number that changes when the limits change. Gates of pauses are those of one epoch,
 *     since a later revision may take an event out of a pause
 */
record GateCheck(LimitsInForce limits, long epoch) {
  /**
   * Limits of an event after the check.
   *
   * @param matching limits to be asked; settled if the event waits or gets a verdict without them
   * @param refusals gates at which the event waits
   * @param isPaused whether the event waits for the end of a pause
   */
  record Checked(Matching matching, List<Refusal> refusals, boolean isPaused) {
    /** Returns the verdict on the event if its limits are not to be asked. */
    Verdict settled() {
      return matching.settled().orElseThrow();
    }

    boolean isSettled() {
      return matching.settled().isPresent();
    }
  }

  /**
   * Checks the limits of an event.
   *
   * @param all limits that match the event, open or not
   */
  Checked of(Matching all, Event event, long nowMs) {
    Matching open = all.openAt(nowMs, event);
    boolean isClosed = open.settled().isPresent();
    if (isClosed && !waits(open.settled().get())) return new Checked(open, List.of(), false);
    List<Refusal> refusals = new ArrayList<>(0);
    if (isClosed) refusals.add(closed(open.settled().get().deciding().get(0), event));
    List<Pause> pauses = limits.pauses(all, event, nowMs);
    if (pauses.isEmpty()) return new Checked(open, refusals, false);
    List<Limit> queues = all.all().stream().filter(Limit::queues).toList();
    for (Pause each : pauses) refusals.add(refusal(each, limit(each, queues), nowMs));
    Verdict paused = paused(pauses, queues, event, nowMs);
    boolean isLast = isClosed && waitMicros(open.settled().get()) > waitMicros(paused);
    Verdict verdict = isLast ? open.settled().get().paused() : paused;
    return new Checked(Matching.settled(verdict), refusals, true);
  }

  /**
   * Returns whether an event waits in line because limits refuse it for now. If a revision has
   * given it a limit with {@code exceeded=retry} too, it waits for that limit in line.
   */
  static boolean waits(Verdict verdict) {
    return verdict.isToBeQueued() || verdict.isToBeRetried();
  }

  /** Returns the hash by which the opening hours of a limit, in the event's zone, have a gate. */
  static long hoursHash(Limit limit, Event event) {
    return EventHash.of(limit.name() + "\0\0" + limit.hours().zoneOf(event).getId());
  }

  private static long waitMicros(Verdict verdict) {
    return verdict.deciding().get(0).waitMicros();
  }

  private static Refusal closed(LimitDecision closed, Event event) {
    return new Refusal(hoursHash(closed.limit(), event), closed.nowMicros() + closed.waitMicros());
  }

  private static Verdict paused(List<Pause> pauses, List<Limit> queues, Event event, long nowMs) {
    Pause last =
        pauses.stream()
            .max(Comparator.comparingLong(each -> untilMs(each, limit(each, queues), nowMs)))
            .orElseThrow();
    Limit limit = limit(last, queues);
    return Verdict.paused(limit, event, nowMs, untilMs(last, limit, nowMs));
  }

  /** Returns the limit that is paused; if all are, the first one. */
  private static Limit limit(Pause pause, List<Limit> queues) {
    return queues.stream()
        .filter(each -> each.name().equals(pause.limit()))
        .findFirst()
        .orElse(queues.get(0));
  }

  /**
   * Returns the end of a pause. If it is not known, an event waits for the longest time that the
   * limit lets it wait, as far as is known.
   */
  private static long untilMs(Pause pause, Limit limit, long nowMs) {
    long mostMicros = ((Exceeded.Queue) limit.exceeded()).maxWaitMicros();
    return pause.hasEnd() ? pause.untilMs() : nowMs + mostMicros / 1_000;
  }

  /** Returns the refusal by a pause, whose gate all events of its scope share. */
  private Refusal refusal(Pause pause, Limit limit, long nowMs) {
    String gate = String.join("\0", "pause", pause.limit(), pause.scope().toString(), "" + epoch);
    return new Refusal(EventHash.of(gate), untilMs(pause, limit, nowMs) * 1_000);
  }
}

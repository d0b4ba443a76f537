package io.sluice.topology.queue;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.limit.Verdict.Duplicates;
import io.sluice.rules.limit.Verdict.Reason;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.MeteringServices;
import io.sluice.topology.queue.Gate.Refusal;
import io.sluice.topology.queue.GateCheck.Checked;
import io.sluice.topology.queue.HeadMeter.Answer;
import io.sluice.topology.queue.HeadMeter.Head;
import io.sluice.topology.queue.HeadMeter.Metered;
import java.util.List;

/**
 * Decides about new events of a queue: those that must wait for others wait in line without being
 * metered, and the others are metered. It changes nothing but the counts of limits.
 */
final class Admission {
  private final MeteringServices services;
  private final QueueIndex index;
  private final LimitChanges changes;
  private final HeadMeter heads;

  Admission(MeteringServices services, QueueIndex index, LimitChanges changes, HeadMeter heads) {
    this.services = services;
    this.index = index;
    this.changes = changes;
    this.heads = heads;
  }

  /** Verdict on a new event, and the refusals if it was metered. */
  record Arrived(Verdict verdict, List<Refusal> refusals) {
    Arrived(Verdict verdict) {
      this(verdict, List.of());
    }
  }

  /** Decides about a new event. */
  Arrived of(EventRecord event, ArrivingEvent arriving) {
    WaitingEvent waiting = arriving.waiting();
    Limit queue = arriving.queues().get(0);
    long nowMs = arriving.nowMs();
    if (waiting.expiresMs() <= nowMs) return new Arrived(Verdict.notQueued(queue, Reason.EXPIRED));
    boolean rejectsDuplicates = services.arrivals().duplicates() == Duplicates.REJECT;
    if (rejectsDuplicates && index.knows(waiting.identity()))
      return new Arrived(Verdict.notQueued(queue, Reason.DUPLICATE));
    boolean isGone = waiting.asksRedis() && services.breaker().isGone();
    boolean waits =
        isGone
            || waiting.notBeforeMs() > nowMs
            || index.mustWait(waiting.place(), nowMs)
            || isBehindEndedPause(nowMs);
    Checked open = changes.check().of(arriving.matching(), event.event(), nowMs);
    if (waits) {
      Verdict verdict = atTheEnd(arriving, open);
      return new Arrived(isGone ? verdict.withoutRedis() : verdict);
    }
    if (open.isSettled()) return closed(open, nowMs);
    try {
      Head head =
          new Head(event, open.matching(), arriving.arrival(), waiting.place().rank(), nowMs);
      return arrived(heads.first(head, nowMs), arriving);
    } catch (LimiterUnavailableException e) {
      if (e instanceof UnreadableKeyException) throw e;
      return new Arrived(atTheEnd(arriving).withoutRedis());
    }
  }

  /** Decides about a new event that is stored already, since its record has come again. */
  Arrived again(ArrivingEvent arriving) {
    return new Arrived(behindOthers(arriving));
  }

  /**
   * Returns whether events may wait for a pause that has ended since heads were asked last. A new
   * event must not overtake them until they are asked.
   */
  private boolean isBehindEndedPause(long nowMs) {
    if (!changes.concernPauses()) return false;
    if (index.size() > 0) return changes.arePending(nowMs);
    if (changes.areNew(nowMs)) index.gates().openAll();
    return false;
  }

  private Arrived arrived(Answer answer, ArrivingEvent arriving) {
    if (answer instanceof Answer.Unusable unusable) throw unusable.why();
    if (answer instanceof Answer.Behind behind)
      return new Arrived(atTheEnd(arriving), behind.refusals());
    long nowMs = arriving.nowMs();
    Metered metered = ((Answer.Decided) answer).metered();
    Verdict verdict = metered.verdict(services.arrivals().duplicates());
    return GateCheck.waits(verdict)
        ? new Arrived(untilItConforms(verdict, nowMs), heads.refusals(metered, nowMs))
        : new Arrived(Departures.at(verdict, metered.leavesAtMs(nowMs)));
  }

  private static Verdict untilItConforms(Verdict refused, long nowMs) {
    long waitMicros = refused.deciding().get(0).waitMicros();
    return refused.queuedUntil(nowMs + (waitMicros + 999) / 1_000);
  }

  /** Returns the verdict on a new event of which a limit is closed or paused now. */
  private static Arrived closed(Checked closed, long nowMs) {
    Verdict verdict = closed.settled();
    return GateCheck.waits(verdict)
        ? new Arrived(untilItConforms(verdict, nowMs), closed.refusals())
        : new Arrived(verdict);
  }

  /** Returns the verdict on a new event that waits behind others, and perhaps for a pause too. */
  private Verdict atTheEnd(ArrivingEvent arriving, Checked open) {
    Verdict behind = atTheEnd(arriving);
    if (!open.isPaused() || !behind.isQueued()) return behind;
    Verdict paused = untilItConforms(open.settled(), arriving.nowMs());
    return paused.dueMs() > behind.dueMs() ? paused : behind.paused();
  }

  /**
   * Returns the verdict on a new event that waits without having been metered, if its line is not
   * full.
   */
  private Verdict atTheEnd(ArrivingEvent arriving) {
    return arriving.exceeds(index.length(arriving.place().line()))
        ? Verdict.notQueued(arriving.queues().get(0), Reason.QUEUE_FULL)
        : behindOthers(arriving);
  }

  private Verdict behindOthers(ArrivingEvent arriving) {
    List<Limit> queues = arriving.queues();
    long nowMs = arriving.nowMs();
    // The gates of opening hours come after those of the limits' buckets.
    int deciding = index.gates().deciding(arriving.place());
    Limit limit = queues.get(Math.min(deciding, queues.size() - 1));
    long intervalMicros =
        limit.rule().quota().periodMicros() / Math.max(1, limit.rule().quota().permits());
    long waitMicros = index.estimateMicros(arriving.place(), intervalMicros, nowMs * 1_000);
    long notBeforeMicros = Math.max(0, arriving.waiting().notBeforeMs() - nowMs) * 1_000;
    return Verdict.queued(
        limit, limit.key().of(arriving.event()), Math.max(waitMicros, notBeforeMicros), nowMs);
  }
}

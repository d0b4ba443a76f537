package io.sluice.rules.limit;

import io.sluice.limiter.EventHash;
import io.sluice.rules.event.Event;
import io.sluice.rules.limit.Limit.Exceeded;
import java.util.SplittableRandom;

/**
 * Decides when an event that limits with {@code exceeded=retry} or with opening hours have refused
 * is metered again, if at all.
 */
public final class RetryPlan {
  private RetryPlan() {}

  /**
   * Completes a verdict that {@link Verdict#isToBeRetried}: adds the due time, or rejects the event
   * after its last attempt. The wait is that of the deciding limit, lengthened at random, so that
   * events refused together do not return together. The random part depends only on the event and
   * the attempt, so a replay gives the same wait. An event that waits for a limit to open is
   * metered again at the opening.
   */
  public static Verdict complete(Verdict refused, Event event) {
    LimitDecision deciding = refused.deciding().get(0);
    Exceeded exceeded = deciding.limit().exceeded();
    if (exceeded instanceof Exceeded.DelayToReopening delay) return reopened(refused, delay);
    if (!(exceeded instanceof Exceeded.Retry retry)) return refused.retriedAfter(deciding);
    if (refused.attempt() >= retry.attempts()) return refused.exhausted();
    long waitMs = (deciding.waitMicros() + 999) / 1_000;
    SplittableRandom chance =
        new SplittableRandom(EventHash.of(event.eventId()) + refused.attempt());
    long jitterMs = (long) (waitMs * retry.jitter() * chance.nextDouble());
    long conformsAtMs = (deciding.nowMicros() + deciding.waitMicros() + 999) / 1_000;
    return refused.retriedAt(conformsAtMs + jitterMs);
  }

  /** Delays an event, which found no slot before its limits close, until they are open again. */
  private static Verdict reopened(Verdict refused, Exceeded.DelayToReopening delay) {
    LimitDecision deciding = refused.deciding().get(0);
    long untilMicros = delay.reopensAtMs() * 1_000 - deciding.nowMicros();
    LimitDecision wait = deciding.waiting(Math.max(deciding.waitMicros(), untilMicros));
    return wait.waitMicros() > delay.maxWaitMicros()
        ? refused.openingTooLate(wait)
        : refused.retriedAfter(wait);
  }
}

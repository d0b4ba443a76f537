package io.sluice.rules.limit;

import io.sluice.limiter.EventHash;
import io.sluice.rules.event.Event;
import io.sluice.rules.limit.Limit.Exceeded;
import java.util.SplittableRandom;

/**
 * Decides when an event that limits with {@code exceeded=retry} have refused is metered again, if
 * at all.
 */
public final class RetryPlan {
  private RetryPlan() {}

  /**
   * Completes a verdict that {@link Verdict#isToBeRetried}: adds the due time, or rejects the event
   * after its last attempt. The wait is that of the deciding limit, lengthened at random, so that
   * events refused together do not return together. The random part depends only on the event and
   * the attempt, so a replay gives the same wait.
   */
  public static Verdict complete(Verdict refused, Event event) {
    LimitDecision deciding = refused.deciding().get(0);
    Exceeded.Retry retry = (Exceeded.Retry) deciding.limit().exceeded();
    if (refused.attempt() >= retry.attempts()) return refused.exhausted();
    long waitMs = (deciding.waitMicros() + 999) / 1_000;
    SplittableRandom chance =
        new SplittableRandom(EventHash.of(event.eventId()) + refused.attempt());
    long jitterMs = (long) (waitMs * retry.jitter() * chance.nextDouble());
    long conformsAtMs = (deciding.nowMicros() + deciding.waitMicros() + 999) / 1_000;
    return refused.retriedAt(conformsAtMs + jitterMs);
  }
}

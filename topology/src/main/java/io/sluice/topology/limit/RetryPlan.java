package io.sluice.topology.limit;

import io.sluice.limiter.EventHash;
import io.sluice.topology.event.Event;
import io.sluice.topology.limit.Limit.Exceeded;
import java.util.SplittableRandom;

/**
 * The plan for an event that limits with {@code exceeded=retry} have refused: when it is metered
 * again, if ever.
 */
final class RetryPlan {
  private RetryPlan() {}

  /**
   * Completes a verdict that {@link Verdict#isToBeRetried}: the wait is the one that the deciding
   * limit names, lengthened by chance, so that those refused together do not come back together.
   * Chance depends on the event and the attempt only: a replay gives the same.
   */
  static Verdict complete(Verdict refused, Event event) {
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

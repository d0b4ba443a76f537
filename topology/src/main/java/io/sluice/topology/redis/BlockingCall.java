package io.sluice.topology.redis;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.topology.limit.Limit.RedisUnavailable;
import io.sluice.topology.metrics.RedisMetrics;

/** A call of Redis from within processing. */
final class BlockingCall {
  /*
   * As a rule processing stops before an event gets here: the poll that brought it found Redis gone.
   * This is for events with limits on both backends, about which Redis is asked only now. It
   * cannot wait here for long: an exactly-once transaction is aborted after transaction.timeout.ms,
   * 10 s, and upon an exception Streams replaces the thread. So the one that finds Redis gone waits
   * for a moment, in case Redis is back at once; the others behind it do not, and the meter sets them
   * aside.
   */
  private static final long MOST_WAIT_MS = 1_000;

  /** How often an event is asked about whose key Redis cannot use, with what was asked ahead. */
  private static final int MOST_FAILURES = 3;

  private final RedisBreaker breaker;
  private final RedisMetrics metrics;

  BlockingCall(RedisBreaker breaker, RedisMetrics metrics) {
    this.breaker = breaker;
    this.metrics = metrics;
  }

  /**
   * Has a question answered.
   *
   * @throws LimiterUnavailableException if Redis is gone; if the question must wait, processing is
   *     paused
   * @throws UnreadableKeyException if Redis answers and cannot use a key of the event, for the
   *     third time if the question must wait and no limit can be left out
   */
  void answer(PendingVerdict question) {
    boolean waited = false;
    while (true) {
      try {
        breaker.ask(question);
        return;
      } catch (UnreadableKeyException e) {
        boolean again = question.mustWait() && question.withoutShadows().isEmpty();
        if (!again || question.failures() >= MOST_FAILURES) throw e;
      } catch (LimiterUnavailableException e) {
        if (!question.mustWait()) throw e;
        if (waited || !breaker.holdBack() || !isBackSoon()) {
          metrics.fellBack(RedisUnavailable.WAIT);
          breaker.setAside(question.partition());
          throw e;
        }
        waited = true;
      }
    }
  }

  private boolean isBackSoon() {
    try {
      breaker.awaitBack(MOST_WAIT_MS);
      return !breaker.isGone();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}

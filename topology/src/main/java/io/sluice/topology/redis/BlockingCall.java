package io.sluice.topology.redis;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.rules.limit.Limit.RedisUnavailable;
import io.sluice.topology.metrics.RedisMetrics;

/** Call of Redis while an event is processed. */
final class BlockingCall {
  /*
   * Processing is usually paused before an event gets to this call, because the poll that brought
   * it found Redis unavailable. This call is for events with limits on both backends, about which
   * Redis is asked only now. It must not wait for long: an exactly-once transaction is aborted
   * after transaction.timeout.ms, 10 s, and after an exception the thread is replaced. So the first
   * event that finds Redis unavailable waits for a moment, in case Redis is back at once. The
   * events behind it do not wait; the meter sets them aside.
   */
  private static final long MOST_WAIT_MS = 1_000;

  /**
   * Most attempts for an event whose key Redis cannot use, including the attempt that was made
   * ahead.
   */
  private static final int MOST_FAILURES = 3;

  private final RedisBreaker breaker;
  private final RedisMetrics metrics;

  BlockingCall(RedisBreaker breaker, RedisMetrics metrics) {
    this.breaker = breaker;
    this.metrics = metrics;
  }

  /**
   * Gets a question answered.
   *
   * @throws LimiterUnavailableException if Redis is unavailable; if the question must wait,
   *     processing is paused
   * @throws UnreadableKeyException if Redis answers and cannot use a key of the event; if the
   *     question must wait and no limit can be left out, after the third attempt
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

package io.sluice.topology.redis;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.rules.limit.Limit.RedisUnavailable;
import io.sluice.topology.metrics.RedisMetrics;

/** Call to Redis about an event that a stream thread is processing; the thread waits for it. */
final class BlockingCall {
  /*
   * Most events need no blocking call: Redis is asked about them when a poll returns them, and
   * processing is paused if Redis does not answer then. This blocking call is for the other events,
   * such as events with limits in Redis and on the state store. It must not wait for long: an
   * exactly-once transaction is aborted after transaction.timeout.ms, 10 s, and after an exception
   * the thread is replaced. So the first event that finds Redis unavailable waits up to a second,
   * in case Redis is back soon. The events after it do not wait; the meter stores them until Redis
   * is back.
   */
  private static final long MOST_WAIT_MS = 1_000;

  /**
   * Largest number of times that Redis is asked about an event that must wait for an answer, if
   * Redis answers but cannot use the event's key, such as a key whose value has another type. A
   * call that was made when a poll returned the event is included. After the last failure the event
   * becomes a dead letter.
   */
  private static final int MOST_FAILURES = 3;

  private final RedisBreaker breaker;
  private final RedisMetrics metrics;

  BlockingCall(RedisBreaker breaker, RedisMetrics metrics) {
    this.breaker = breaker;
    this.metrics = metrics;
  }

  /**
   * Asks Redis for the verdict on an event, and waits for the answer.
   *
   * @throws LimiterUnavailableException if Redis is unavailable; if the event may not pass without
   *     an answer, the processing of events has been paused
   * @throws UnreadableKeyException if Redis answers but cannot use a key of the event. If the event
   *     may not pass without an answer, and has no limits in shadow mode to leave out, this is
   *     thrown only after the third call
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

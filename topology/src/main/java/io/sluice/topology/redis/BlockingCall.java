package io.sluice.topology.redis;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.topology.limit.Limit.RedisUnavailable;
import io.sluice.topology.metrics.RedisMetrics;
import io.sluice.topology.redis.PendingVerdict.StillUnavailableException;

/**
 * A call of Redis from within processing, where an event that must wait can only be waited with.
 */
final class BlockingCall {
  /*
   * As a rule processing stops before an event gets here: the poll that brought it found Redis gone.
   * This is for events with limits on both backends, about which Redis is asked only now. Waiting in
   * place keeps the membership, but an exactly-once transaction is aborted after
   * transaction.timeout.ms, 10 s in Streams; so it ends before, and the thread is replaced, which
   * loses nothing. There is no better way out: Streams kills the thread on any exception but
   * TaskCorruptedException, and upon that one commits what the task has produced without its offsets.
   */
  private static final int MOST_TRIES = 20;
  private static final long BETWEEN_MS = 250;

  private final RedisBreaker breaker;
  private final RedisMetrics metrics;

  BlockingCall(RedisBreaker breaker, RedisMetrics metrics) {
    this.breaker = breaker;
    this.metrics = metrics;
  }

  /**
   * Has a question answered, waiting for Redis if it must.
   *
   * @throws LimiterUnavailableException if Redis is gone and the question need not wait for it
   * @throws StillUnavailableException if it must, and Redis was gone for too long
   */
  void answer(PendingVerdict question) {
    for (int tries = 0; ; tries++) {
      try {
        breaker.ask(question);
        return;
      } catch (LimiterUnavailableException e) {
        if (!question.mustWait()) throw e;
        if (tries == 0) metrics.fellBack(RedisUnavailable.WAIT);
        breaker.holdBack();
        if (tries == MOST_TRIES) throw new StillUnavailableException(e);
        awaitBack();
      }
    }
  }

  private void awaitBack() {
    try {
      breaker.awaitBack(BETWEEN_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StillUnavailableException(e);
    }
  }
}

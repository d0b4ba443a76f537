package io.sluice.topology;

import io.sluice.limiter.LimiterUnavailableException;
import java.util.List;

/** Asks Redis from within processing, where an event that must wait can only be waited with. */
final class PatientRedis {
  /*
   * As a rule processing stops before an event gets here: the poll that brought it found Redis gone.
   * This is for the rest: events with limits on both backends, and what was at hand when Redis came
   * back and went again. Waiting in place keeps the membership, but an exactly-once transaction is
   * aborted after transaction.timeout.ms, 10 s in Streams; so it ends before, and the thread is
   * replaced, which loses nothing.
   */
  private static final int MOST_TRIES = 20;
  private static final long BETWEEN_MS = 250;

  private final RedisBreaker breaker;

  PatientRedis(RedisBreaker breaker) {
    this.breaker = breaker;
  }

  /**
   * Has questions answered, waiting for Redis if one of them must.
   *
   * @throws LimiterUnavailableException if Redis is gone and none must wait for it
   * @throws StillUnavailableException if one must, and Redis was gone for too long
   */
  void answer(List<Question> questions) {
    for (int tries = 0; ; tries++) {
      try {
        Prefetcher.answer(breaker, questions);
        return;
      } catch (LimiterUnavailableException e) {
        if (!questions.get(0).mustWait()) throw e;
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

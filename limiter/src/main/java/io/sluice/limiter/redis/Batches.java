package io.sluice.limiter.redis;

import io.sluice.limiter.redis.RedisMeter.Outcomes;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;

/**
 * Splits requests, in order, into as few batches as possible. Takes requests only when a batch is
 * needed, so the caller makes them while Redis works on the batch before.
 */
final class Batches implements Iterator<Batch> {
  private final Iterator<Request> requests;
  private final ToIntFunction<Request> placeOf;
  private final IntFunction<ScriptCall> newCall;
  private final Outcomes outcomes;
  private Batch next;
  private int taken;
  private int answered;

  /**
   * @param placeOf returns the place of all keys of a request
   * @param newCall creates an empty call for a place
   */
  Batches(
      Iterator<Request> requests,
      ToIntFunction<Request> placeOf,
      IntFunction<ScriptCall> newCall,
      Outcomes outcomes) {
    this.requests = requests;
    this.placeOf = placeOf;
    this.newCall = newCall;
    this.outcomes = outcomes;
    next = new Batch(newCall);
    if (requests.hasNext()) take(next, requests.next());
  }

  private boolean take(Batch batch, Request request) {
    if (!batch.take(taken, request, placeOf.applyAsInt(request))) return false;
    taken++;
    return true;
  }

  @Override
  public boolean hasNext() {
    return !next.isEmpty();
  }

  @Override
  public Batch next() {
    if (!hasNext()) throw new NoSuchElementException();
    Batch filled = next;
    next = new Batch(newCall);
    while (requests.hasNext() && next.isEmpty()) {
      Request request = requests.next();
      if (!take(filled, request)) take(next, request);
    }
    return filled;
  }

  /**
   * Hands over Redis' answers to the calls of a batch; there may be none.
   *
   * @param isOver whether requests for a place must not be sent any more
   * @return requests without an answer, which must be sent before any others
   */
  Batch answered(Batch batch, Map<ScriptCall, List<?>> answers, IntPredicate isOver) {
    answered++;
    return batch.answered(answers, isOver, outcomes);
  }

  /** Returns the number of batches answered so far. */
  int answered() {
    return answered;
  }
}

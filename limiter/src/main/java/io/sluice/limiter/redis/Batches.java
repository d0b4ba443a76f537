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
 * Splits metering requests, in order, into as few batches as possible. A request is taken from the
 * iterator only when a batch needs it, so the caller can create requests while Redis works on the
 * previous batch.
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
   * @param placeOf returns the place (hash slot) of all keys of a request
   * @param newCall creates an empty script call for a place
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
   * Passes Redis' answers to the script calls of a batch on to the outcomes. Some or all answers
   * may be missing.
   *
   * @param isOver whether requests for a place (hash slot) must not be sent any more
   * @return the requests without an answer, which must be sent before any other requests
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

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
 * Requests in order, as few batches as they fit into. Requests are asked for only when a batch is,
 * so whoever makes them does so while Redis works on the batch before.
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
   * @param placeOf the place of all keys of a request
   * @param newCall makes an empty call for a place
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
   * Hands over what Redis answered to the calls of a batch, nothing perhaps.
   *
   * @param isOver whether nothing is to be asked of a place any more
   * @return what could not be answered yet, to be asked before anything else
   */
  Batch answered(Batch batch, Map<ScriptCall, List<?>> answers, IntPredicate isOver) {
    answered++;
    return batch.answered(answers, isOver, outcomes);
  }

  /** How many batches have been answered. */
  int answered() {
    return answered;
  }
}

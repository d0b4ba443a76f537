package io.sluice.limiter.redis;

import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.CallRules.Lacking;
import io.sluice.limiter.redis.RedisMeter.Outcomes;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.ScriptReply.Unmetered;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;

/**
 * Splits metering requests, in order, into as few batches as possible. A request is taken from the
 * iterator only when a batch needs it, so the caller can create requests while Redis works on the
 * previous batch.
 */
final class Batches implements Iterator<Batches.Batch> {
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

  /**
   * Metering requests for one round trip to Redis, with one script call for each place (hash slot)
   * of the requests' keys.
   */
  static final class Batch {
    /**
     * Largest number of requests in a batch. If a single server gets them all, they occupy its one
     * thread for a few milliseconds.
     */
    private static final int MOST_REQUESTS = 500;

    private final IntFunction<ScriptCall> newCall;
    private final Map<Integer, Part> parts = new LinkedHashMap<>();
    private int size;

    /**
     * Requests of a batch for one place (hash slot), with the index of each among all requests of
     * the run.
     */
    private record Part(ScriptCall call, List<Integer> indexes) {
      Part from(int first, Optional<Lacking> lacked) {
        return new Part(call.from(first, lacked), indexes.subList(first, indexes.size()));
      }
    }

    /**
     * @param newCall creates an empty script call for a place (hash slot)
     */
    Batch(IntFunction<ScriptCall> newCall) {
      this.newCall = newCall;
    }

    /**
     * Adds a request for a place (hash slot); returns false if the batch has no room. An empty
     * batch has room for any request.
     */
    boolean take(int index, Request request, int place) {
      if (size == MOST_REQUESTS) return false;
      Part part = parts.computeIfAbsent(place, p -> new Part(newCall.apply(p), new ArrayList<>()));
      if (!part.call.take(request)) return false;
      part.indexes.add(index);
      size++;
      return true;
    }

    /** Removes the requests for the places (hash slots) that match the predicate. */
    void leaveOut(IntPredicate those) {
      parts.keySet().removeIf(those::test);
      size = parts.values().stream().mapToInt(part -> part.indexes.size()).sum();
    }

    boolean isEmpty() {
      return size == 0;
    }

    List<ScriptCall> calls() {
      return parts.values().stream().map(Part::call).toList();
    }

    /**
     * Passes the answers to the batch's script calls on to the outcomes. A call may have answers to
     * its first requests only.
     *
     * @param isOver whether requests for a place (hash slot) must not be sent any more
     * @return the requests without an answer, which must be sent before any other requests
     */
    Batch answered(Map<ScriptCall, List<?>> answers, IntPredicate isOver, Outcomes outcomes) {
      Batch rest = new Batch(newCall);
      for (Part part : parts.values()) {
        ScriptReply reply = new ScriptReply(answers.get(part.call), outcomes::grown);
        int answered = answered(part, reply, outcomes);
        boolean isAll = answered == part.indexes.size();
        if (!isAll && !isOver.test(part.call.place()))
          rest.add(part.from(answered, reply.lacking()));
      }
      return rest;
    }

    private static int answered(Part part, ScriptReply reply, Outcomes outcomes) {
      List<Request> requests = part.call.requests();
      int i = 0;
      for (; i < requests.size() && reply.hasNext(); i++) {
        int index = part.indexes.get(i);
        Optional<UnreadableKeyException> problem = reply.problem();
        if (problem.isPresent()) outcomes.failed(index, problem.get());
        else answered(index, requests.get(i), reply, outcomes);
      }
      return i;
    }

    private static void answered(int index, Request request, ScriptReply reply, Outcomes outcomes) {
      Optional<Unmetered> unmetered = reply.unmetered();
      if (unmetered.isEmpty()) outcomes.answered(index, reply.next(request));
      else ((ReleaseRun) outcomes).unmetered(index, unmetered.get()); // only releases get it
    }

    private void add(Part part) {
      parts.put(part.call.place(), part);
      size += part.indexes.size();
    }
  }
}

package io.sluice.limiter.async;

import io.sluice.limiter.Decision;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisMeter.Outcomes;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.RedisMeter.Route;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Gathers the metering calls of many threads into few calls to Redis, separately for each server.
 */
final class Gatherer implements AutoCloseable {
  private final Meter meter;
  private final Callbacks callbacks;
  private final int mostCalls;
  private final Semaphore places;
  private final Askers askers =
      new Askers(() -> new CallBatcher<Call>("sluice-redis-gatherer", this::answer).start());

  /**
   * Meters requests in order, and passes each outcome to {@link Outcomes} as soon as it is known.
   */
  interface Meter {
    int meter(Iterator<Request> requests, Outcomes outcomes);

    /**
     * Returns the place (hash slot) and the known server of a request, without asking any server.
     */
    Route routeOf(Request request);

    static Meter of(RedisMeter redis) {
      return new Meter() {
        @Override
        public int meter(Iterator<Request> requests, Outcomes outcomes) {
          return redis.meter(requests, outcomes);
        }

        @Override
        public Route routeOf(Request request) {
          return redis.routeOf(request);
        }
      };
    }
  }

  /**
   * @param mostCalls largest number of calls whose callbacks have not run yet
   */
  Gatherer(Meter meter, Callbacks callbacks, int mostCalls) {
    if (mostCalls < 1) {
      throw new IllegalArgumentException("the number of calls must be 1 or more: " + mostCalls);
    }
    this.meter = meter;
    this.callbacks = callbacks;
    this.mostCalls = mostCalls;
    places = new Semaphore(mostCalls);
  }

  /** Meters a request with one bucket, and returns that bucket's decision. */
  CompletionStage<Decision> meter(Request request) {
    if (!places.tryAcquire()) return CompletableFuture.failedFuture(full());
    boolean taken = false;
    try {
      Call call = new Call(request, meter.routeOf(request));
      taken = askers.take(call);
      return taken ? call.answer : CompletableFuture.failedFuture(closed());
    } finally {
      if (!taken) places.release(); // also after an error, such as no memory for a new thread
    }
  }

  private RejectedExecutionException full() {
    return new RejectedExecutionException(mostCalls + " calls already wait for answers of Redis");
  }

  private static RejectedExecutionException closed() {
    return new RejectedExecutionException("the meter was closed before Redis was asked");
  }

  private void answer(List<Call> taken) {
    try {
      ask(taken);
    } catch (Throwable e) { // even after an error, each caller must get an end
      for (Call call : taken) if (!call.told) fail(call, e);
    } finally {
      askers.leave(taken);
    }
  }

  private void ask(List<Call> taken) {
    List<Call> calls = new ArrayList<>(taken.size());
    for (Call call : taken) {
      if (call.answer.isDone()) { // the caller has cancelled the future
        call.told = true;
        if (call.ends()) places.release();
      } else {
        calls.add(call);
      }
    }
    if (calls.isEmpty()) return;
    meter.meter(
        calls.stream().map(call -> call.request).iterator(),
        new Outcomes() {
          @Override
          public void answered(int index, Outcome outcome) {
            Call call = calls.get(index);
            Decision decision = outcome.decision(0);
            tell(call, () -> call.answer.complete(decision));
          }

          @Override
          public void failed(int index, UnreadableKeyException why) {
            fail(calls.get(index), why);
          }
        });
  }

  private void fail(Call call, Throwable failure) {
    tell(call, () -> call.answer.completeExceptionally(failure));
  }

  /**
   * Completes a call on the callbacks' executor. The call counts as open until its callbacks have
   * run, so that slow callbacks do not pile up.
   */
  private void tell(Call call, Runnable completion) {
    callbacks.run(
        () -> {
          try {
            completion.run();
          } finally {
            if (call.ends()) places.release();
          }
        });
    call.told = true;
  }

  /** Returns the number of further calls that can be open at the same time. */
  int free() {
    return places.availablePermits();
  }

  /**
   * Fails the calls that were not sent to Redis, and waits for the calls that Redis is answering.
   */
  @Override
  public void close() {
    askers.close().forEach(call -> fail(call, closed()));
    askers.awaitEnd();
  }

  /** Metering request to Redis, with its route and the future of its decision. */
  static final class Call {
    final Request request;

    /** Place (hash slot) and server of the request's key. */
    final Route route;

    final CompletableFuture<Decision> answer = new CompletableFuture<>();
    private final AtomicBoolean ended = new AtomicBoolean();

    /**
     * Whether the answer was passed on to the callbacks, or is not needed because the call was
     * cancelled. For the thread that sends calls to Redis only.
     */
    private boolean told;

    Call(Request request, Route route) {
      this.request = request;
      this.route = route;
    }

    /**
     * Marks the call as ended; returns true the first time only, so that the call is released once.
     */
    private boolean ends() {
      return !ended.getAndSet(true);
    }
  }
}

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

/** Makes few calls of what many threads ask: those for one server go together. */
final class Gatherer implements AutoCloseable {
  private final Meter meter;
  private final Callbacks callbacks;
  private final int mostCalls;
  private final Semaphore places;
  private final Askers askers = new Askers(() -> Asker.start(this::answer));

  /** What meters requests in order, and hands over outcomes as they come. */
  interface Meter {
    int meter(Iterator<Request> requests, Outcomes outcomes);

    /** The way of a request, found without asking anybody. */
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
   * @param mostCalls how many there may be whose callbacks have not run
   */
  Gatherer(Meter meter, Callbacks callbacks, int mostCalls) {
    if (mostCalls < 1) {
      throw new IllegalArgumentException("at least 1 call must be possible: " + mostCalls);
    }
    this.meter = meter;
    this.callbacks = callbacks;
    this.mostCalls = mostCalls;
    places = new Semaphore(mostCalls);
  }

  /** The decision of the request's one bucket. */
  CompletionStage<Decision> meter(Request request) {
    if (!places.tryAcquire()) return CompletableFuture.failedFuture(full());
    boolean taken = false;
    try {
      Call call = new Call(request, meter.routeOf(request));
      taken = askers.take(call);
      return taken ? call.answer() : CompletableFuture.failedFuture(closed());
    } finally {
      if (!taken) places.release(); // also if there can be no more threads
    }
  }

  private RejectedExecutionException full() {
    return new RejectedExecutionException(mostCalls + " calls already wait for their answers");
  }

  private static RejectedExecutionException closed() {
    return new RejectedExecutionException("the meter was closed before Redis was asked");
  }

  private void answer(List<Call> taken) {
    try {
      ask(taken);
    } catch (Throwable e) { // also of an error, for nobody else would tell those who wait
      for (Call call : taken) if (!call.isTold()) fail(call, e);
    } finally {
      askers.leave(taken);
    }
  }

  private void ask(List<Call> taken) {
    List<Call> calls = new ArrayList<>(taken.size());
    for (Call call : taken) {
      if (call.answer().isDone()) { // its caller has cancelled it
        call.toldNow();
        if (call.ends()) places.release();
      } else {
        calls.add(call);
      }
    }
    if (calls.isEmpty()) return;
    meter.meter(
        calls.stream().map(Call::request).iterator(),
        new Outcomes() {
          @Override
          public void answered(int index, Outcome outcome) {
            Call call = calls.get(index);
            Decision decision = outcome.decision(0);
            tell(call, () -> call.answer().complete(decision));
          }

          @Override
          public void failed(int index, UnreadableKeyException why) {
            fail(calls.get(index), why);
          }
        });
  }

  private void fail(Call call, Throwable failure) {
    tell(call, () -> call.answer().completeExceptionally(failure));
  }

  /** A place is free when callbacks have run: where they are slow, they must not pile up. */
  private void tell(Call call, Runnable completion) {
    callbacks.run(
        () -> {
          try {
            completion.run();
          } finally {
            if (call.ends()) places.release();
          }
        });
    call.toldNow();
  }

  /** How many more calls there may be. */
  int free() {
    return places.availablePermits();
  }

  /** Refuses those who wait, and returns when those who are being answered are. */
  @Override
  public void close() {
    askers.close().forEach(call -> fail(call, closed()));
    askers.awaitEnd();
  }
}

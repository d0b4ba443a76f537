package io.sluice.limiter.async;

import io.sluice.limiter.Decision;
import io.sluice.limiter.redis.RedisMeter.Outcomes;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;

/**
 * A thread that meters what many others ask: whatever has come while it waited for one answer goes
 * with its next call, in the order in which it came.
 */
final class Gatherer implements AutoCloseable {
  /** A few milliseconds of Redis' one thread, in calls of which two are under way. */
  private static final int MOST_TOGETHER = 500;

  private final Meter meter;
  private final Callbacks callbacks;
  private final int mostCalls;
  private final Semaphore places;
  private final Queue<Call> waiting = new ArrayDeque<>();
  private final Thread thread = new Thread(this::run, "sluice-redis-gatherer");
  private boolean closed;

  /** What meters requests in order, and hands over outcomes as they come. */
  @FunctionalInterface
  interface Meter {
    int meter(Iterator<Request> requests, Outcomes outcomes);
  }

  private record Call(Request request, CompletableFuture<Decision> answer) {}

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
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** The decision of the request's one bucket. */
  CompletionStage<Decision> meter(Request request) {
    if (!places.tryAcquire()) return CompletableFuture.failedFuture(full());
    Call call = new Call(request, new CompletableFuture<>());
    if (add(call)) return call.answer;
    places.release();
    return CompletableFuture.failedFuture(closed());
  }

  private synchronized boolean add(Call call) {
    if (closed) return false;
    waiting.add(call);
    notifyAll();
    return true;
  }

  private RejectedExecutionException full() {
    return new RejectedExecutionException(mostCalls + " calls already wait for their answers");
  }

  private static RejectedExecutionException closed() {
    return new RejectedExecutionException("the meter was closed before Redis was asked");
  }

  private void run() {
    for (List<Call> calls = next(); !calls.isEmpty(); calls = next()) answer(calls);
  }

  /** Those who wait, as many as go together; none when it is closed. */
  private synchronized List<Call> next() {
    List<Call> calls = new ArrayList<>();
    while (calls.isEmpty() && awaitCalls()) {
      while (!waiting.isEmpty() && calls.size() < MOST_TOGETHER) {
        Call call = waiting.remove();
        if (!call.answer.isDone()) calls.add(call);
        else places.release(); // its caller has cancelled it
      }
    }
    return calls;
  }

  private synchronized boolean awaitCalls() {
    while (waiting.isEmpty() && !closed) {
      try {
        wait();
      } catch (InterruptedException e) {
        // The thread is this one's own: it ends when it is closed, and not before.
      }
    }
    return !waiting.isEmpty();
  }

  private void answer(List<Call> calls) {
    boolean[] told = new boolean[calls.size()];
    try {
      meter.meter(
          calls.stream().map(Call::request).iterator(),
          (index, outcome) -> {
            told[index] = true;
            CompletableFuture<Decision> answer = calls.get(index).answer;
            end(() -> answer.complete(outcome.decision(0)));
          });
    } catch (Throwable e) { // also of an error, for nobody else would tell those who wait
      for (int i = 0; i < told.length; i++) if (!told[i]) fail(calls.get(i), e);
    }
  }

  private void fail(Call call, Throwable failure) {
    end(() -> call.answer.completeExceptionally(failure));
  }

  /** A place is free when callbacks have run: where they are slow, they must not pile up. */
  private void end(Runnable completion) {
    callbacks.run(
        () -> {
          completion.run();
          places.release();
        });
  }

  /** How many more calls there may be. */
  int free() {
    return places.availablePermits();
  }

  /** Refuses those who wait, and returns when those who are being answered are. */
  @Override
  public void close() {
    List<Call> left;
    synchronized (this) {
      closed = true;
      left = new ArrayList<>(waiting);
      waiting.clear();
      notifyAll();
    }
    left.forEach(call -> fail(call, closed()));
    if (Thread.currentThread() != thread) awaitEnd();
  }

  private void awaitEnd() {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) Thread.currentThread().interrupt();
  }
}

package io.sluice.limiter.async;

import io.sluice.limiter.Decision;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;

/** The lines of all keys for which somebody waits, and what they share. */
final class Lines {
  private final AsyncRateLimiter limiter;
  private final Timer timer;
  private final int mostWaiting;
  private final Semaphore places;
  private final ConcurrentHashMap<String, Line> lines = new ConcurrentHashMap<>();
  private volatile boolean closed;

  Lines(AsyncRateLimiter limiter, Timer timer, int mostWaiting) {
    if (mostWaiting < 1) {
      throw new IllegalArgumentException("at least 1 must be able to wait: " + mostWaiting);
    }
    this.limiter = limiter;
    this.timer = timer;
    this.mostWaiting = mostWaiting;
    places = new Semaphore(mostWaiting);
  }

  CompletableFuture<Decision> join(String key, long cost, long atMostNanos, Callbacks callbacks) {
    if (!places.tryAcquire()) {
      return CompletableFuture.failedFuture(
          new RejectedExecutionException(mostWaiting + " already wait for permits"));
    }
    long deadlineNanos = timer.nanos() + atMostNanos;
    while (true) {
      Line line = lines.computeIfAbsent(key, k -> new Line(k, this));
      Waiter waiter = new Waiter(line, cost, deadlineNanos, callbacks);
      if (line.join(waiter)) return waiter;
    }
  }

  /** The limiter's answer, also if it throws one. */
  CompletionStage<Decision> meter(String key, long cost) {
    try {
      return Objects.requireNonNull(limiter.meter(key, cost));
    } catch (RuntimeException | Error e) { // such as no memory for a thread: the line goes on
      return CompletableFuture.failedFuture(e);
    }
  }

  Timer timer() {
    return timer;
  }

  /**
   * Has a task run at this instant, at once if it is over.
   *
   * @return runs to cancel the task, and throws nothing: one that runs although its line or waiter
   *     needs it no more finds nothing to do
   */
  Runnable at(long nanos, Runnable task) {
    Runnable cancel =
        Objects.requireNonNull(timer.after(Math.max(0, nanos - timer.nanos()), task), "cancel");
    return () -> {
      try {
        cancel.run();
      } catch (RuntimeException | Error e) {
        // The end of whoever is cancelled matters more.
      }
    };
  }

  boolean isClosed() {
    return closed;
  }

  /** A waiter's future is complete, and its callbacks have run. */
  void ended() {
    places.release();
  }

  void forget(String key, Line line) {
    lines.remove(key, line);
  }

  void close() {
    closed = true;
    lines.values().forEach(Line::close);
  }

  /** How many keys have somebody who waits for them. */
  int size() {
    return lines.size();
  }

  /** How many more may wait. */
  int free() {
    return places.availablePermits();
  }
}

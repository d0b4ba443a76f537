package io.sluice.limiter.async;

import io.sluice.limiter.Decision;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;

/**
 * Queues of all keys that have waiters, with the limiter, the timer and the largest number of
 * waiters, which the queues share.
 */
final class WaiterQueues {
  private final AsyncRateLimiter limiter;
  private final Timer timer;
  private final int mostWaiting;
  private final Semaphore places;
  private final ConcurrentHashMap<String, WaiterQueue> lines = new ConcurrentHashMap<>();
  private volatile boolean closed;

  WaiterQueues(AsyncRateLimiter limiter, Timer timer, int mostWaiting) {
    if (mostWaiting < 1) {
      throw new IllegalArgumentException("the number of waiters must be 1 or more: " + mostWaiting);
    }
    this.limiter = limiter;
    this.timer = timer;
    this.mostWaiting = mostWaiting;
    places = new Semaphore(mostWaiting);
  }

  CompletableFuture<Decision> join(String key, long cost, long atMostNanos, Callbacks callbacks) {
    if (!places.tryAcquire()) {
      return CompletableFuture.failedFuture(
          new RejectedExecutionException(mostWaiting + " callers already wait for permits"));
    }
    long deadlineNanos = timer.nanos() + atMostNanos;
    while (true) {
      WaiterQueue line = lines.computeIfAbsent(key, k -> new WaiterQueue(k, this));
      Waiter waiter = new Waiter(line, cost, deadlineNanos, callbacks);
      if (line.join(waiter)) return waiter;
    }
  }

  /** Returns the limiter's answer; a failed stage if the limiter throws an exception. */
  CompletionStage<Decision> meter(String key, long cost) {
    try {
      return Objects.requireNonNull(limiter.meter(key, cost));
    } catch (RuntimeException | Error e) { // for example, no memory for a new thread
      return CompletableFuture.failedFuture(e);
    }
  }

  Timer timer() {
    return timer;
  }

  /**
   * Schedules a task for this instant of the timer, or at once if the instant has passed.
   *
   * @return a task that cancels the scheduled task, and never throws. A scheduled task that runs
   *     although it was cancelled finds nothing to do
   */
  Runnable at(long nanos, Runnable task) {
    Runnable cancel =
        Objects.requireNonNull(timer.after(Math.max(0, nanos - timer.nanos()), task), "cancel");
    return () -> {
      try {
        cancel.run();
      } catch (RuntimeException | Error e) {
        // An alarm that cannot be cancelled is no reason to keep its waiter: the waiter must end.
      }
    };
  }

  boolean isClosed() {
    return closed;
  }

  /** Counts one waiter less, after the waiter's future is complete and its callbacks have run. */
  void ended() {
    places.release();
  }

  void forget(String key, WaiterQueue line) {
    lines.remove(key, line);
  }

  void close() {
    closed = true;
    lines.values().forEach(WaiterQueue::close);
  }

  /** Returns the number of keys that have waiters. */
  int size() {
    return lines.size();
  }

  /** Returns the number of further waiters that can be added. */
  int free() {
    return places.availablePermits();
  }
}

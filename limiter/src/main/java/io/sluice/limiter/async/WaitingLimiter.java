package io.sluice.limiter.async;

import io.sluice.limiter.Decision;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;

/**
 * Waits until a limiter has permits for a key. Waiters for one key are served in the order of their
 * calls: small requests do not overtake a large one. Waiters for different keys do not wait for
 * each other. The limiter is asked only for the first waiter of each key, and charges only that
 * waiter, so no permits are held during a wait. Thread-safe.
 *
 * <p>The order is that of the calls of one {@code WaitingLimiter}: other callers of the same
 * limiter, or of the same key in Redis from another process, can be faster.
 *
 * <p>An acquisition ends with
 *
 * <ul>
 *   <li>{@link Decision.Conforming}: the permits are charged;
 *   <li>{@link Decision.NonConforming} or {@link Decision.Blocked}, as soon as it is known that the
 *       wait exceeds the allowed one. For the first waiter of a key this is at once; for a later
 *       waiter, at the end of its own allowed wait at the latest. If the limiter was never asked
 *       for a waiter, the decision has the wait of the key's first waiter;
 *   <li>{@link Decision.Oversized}, or another decision that waiting does not change, when its turn
 *       comes;
 *   <li>the failure of the limiter, such as {@link io.sluice.limiter.LimiterUnavailableException};
 *   <li>{@link java.util.concurrent.RejectedExecutionException}, and no charge, if there are too
 *       many waiters, or the limiter is closed;
 *   <li>the exception of the timer, and no charge, if the timer accepts no more tasks.
 * </ul>
 *
 * <p>If the limiter's answers take time, as those of Redis do, an acquisition can last longer than
 * allowed, by the time of the answers for the waiters ahead in its key's queue and of its own
 * answer.
 */
public final class WaitingLimiter implements AutoCloseable {
  private static final int MOST_WAITING = 10_000;

  /**
   * Longest wait that a caller can get: longer than any quota's period and, in nanoseconds, far
   * from an overflow of a {@code long}.
   */
  private static final Duration LONGEST = Duration.ofDays(36_600);

  private final AsyncRateLimiter limiter;
  private final Timer timer;
  private final int mostWaiting;
  private final Semaphore places;
  private final ConcurrentHashMap<String, WaiterQueue> lines = new ConcurrentHashMap<>();
  private final Callbacks callbacks;
  private volatile Runnable atEnd = () -> {};
  private volatile boolean closed;

  /**
   * Creates a limiter for at most 10,000 waiters, with callbacks on the common pool, and with a
   * timer of its own, whose one thread wakes the waiters.
   */
  public WaitingLimiter(AsyncRateLimiter limiter) {
    this(new SystemTimer(), limiter);
  }

  private WaitingLimiter(SystemTimer own, AsyncRateLimiter limiter) {
    this(limiter, own);
    atEnd = own::close;
  }

  /**
   * Creates a limiter for at most 10,000 waiters, with callbacks on the common pool.
   *
   * @param timer wakes the waiters. Other limiters may share the timer; closing this limiter leaves
   *     the timer open
   */
  public WaitingLimiter(AsyncRateLimiter limiter, Timer timer) {
    this(limiter, timer, Callbacks.COMMON, MOST_WAITING);
  }

  /**
   * Creates a limiter.
   *
   * @param limiter is called on callers' threads, on the timer's thread, and on the threads on
   *     which it completes its answers, so it should not block
   * @param callbacks completes the futures, and so runs the callers' callbacks; if it refuses a
   *     task, the common pool runs the task. Shut the executor down after this limiter is closed:
   *     futures whose tasks it accepts and then drops never complete
   * @param mostWaiting largest number of waiters, for all keys together: at least 1
   */
  public WaitingLimiter(
      AsyncRateLimiter limiter, Timer timer, Executor callbacks, int mostWaiting) {
    if (mostWaiting < 1) {
      throw new IllegalArgumentException("the number of waiters must be 1 or more: " + mostWaiting);
    }
    this.limiter = limiter;
    this.timer = timer;
    this.mostWaiting = mostWaiting;
    this.callbacks = new Callbacks(callbacks);
    places = new Semaphore(mostWaiting);
  }

  /**
   * Waits for permits without holding a thread.
   *
   * <p>Cancelling the future removes it from the queue of its key, and a cancelled future has
   * charged nothing. While the limiter is being asked for its permits (a moment in process, a round
   * trip in Redis), {@code cancel} returns false. The future then ends with {@link
   * Decision.Conforming} if the permits were charged, is cancelled if they could be charged later,
   * and ends as without {@code cancel} if they can never be charged. The same holds for completing
   * the future, and for {@code orTimeout}. Stages that depend on the future do not pass their
   * cancellation on to it.
   *
   * @param cost permits, at least 0
   * @param atMost longest wait; with 0, the limiter is asked once, after the waiters ahead
   */
  public CompletableFuture<Decision> acquireAsync(String key, long cost, Duration atMost) {
    return join(key, cost, atMost, callbacks);
  }

  /** Waits for one permit without holding a thread. */
  public CompletableFuture<Decision> acquireAsync(String key, Duration atMost) {
    return acquireAsync(key, 1, atMost);
  }

  /**
   * Waits for permits on the calling thread, with the results of {@link #acquireAsync(String, long,
   * Duration)}.
   *
   * @throws InterruptedException if the thread is interrupted; nothing is charged then. If the
   *     permits were charged at that moment, this method returns, and the thread stays interrupted
   * @throws io.sluice.limiter.LimiterUnavailableException if the limiter failed
   * @throws java.util.concurrent.RejectedExecutionException if there are too many waiters, or this
   *     limiter is closed. Exceptions of the timer are thrown too
   */
  public Decision acquire(String key, long cost, Duration atMost) throws InterruptedException {
    if (Thread.interrupted()) throw new InterruptedException();
    CompletableFuture<Decision> turn = join(key, cost, atMost, new Callbacks(Runnable::run));
    try {
      return turn.get();
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    } catch (InterruptedException e) {
      turn.cancel(false);
      return whatBecameOf(turn, e);
    }
  }

  /** Waits for one permit on the calling thread. */
  public Decision acquire(String key, Duration atMost) throws InterruptedException {
    return acquire(key, 1, atMost);
  }

  private static Decision whatBecameOf(CompletableFuture<Decision> turn, InterruptedException e)
      throws InterruptedException {
    try {
      Decision decision = turn.join();
      Thread.currentThread().interrupt();
      return decision;
    } catch (CancellationException cancelled) {
      throw e;
    } catch (CompletionException failed) {
      Thread.currentThread().interrupt();
      throw failure(failed.getCause());
    }
  }

  private static RuntimeException failure(Throwable cause) {
    if (cause instanceof Error error) throw error;
    return cause instanceof RuntimeException known ? known : new CompletionException(cause);
  }

  private CompletableFuture<Decision> join(
      String key, long cost, Duration atMost, Callbacks byWhom) {
    Objects.requireNonNull(key, "key");
    if (cost < 0) throw new IllegalArgumentException("cost must be at least 0: " + cost);
    if (atMost.isNegative()) {
      throw new IllegalArgumentException("the wait must be at least 0: " + atMost);
    }
    long nanos = (atMost.compareTo(LONGEST) < 0 ? atMost : LONGEST).toNanos();
    if (!places.tryAcquire()) {
      return CompletableFuture.failedFuture(
          new RejectedExecutionException(mostWaiting + " callers already wait for permits"));
    }
    long deadlineNanos = timer.nanos() + nanos;
    while (true) {
      WaiterQueue line = lines.computeIfAbsent(key, k -> new WaiterQueue(k, this));
      Waiter waiter = new Waiter(line, cost, deadlineNanos, byWhom);
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

  /**
   * Closes this limiter, and ends all waiters. The limiter whose permits they wait for stays open.
   */
  @Override
  public void close() {
    closed = true;
    lines.values().forEach(WaiterQueue::close);
    atEnd.run();
  }

  /** Returns the number of keys that have waiters. */
  int keys() {
    return lines.size();
  }

  /** Returns the number of further waiters that can be added. */
  int free() {
    return places.availablePermits();
  }
}

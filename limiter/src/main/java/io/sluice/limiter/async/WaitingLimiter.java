package io.sluice.limiter.async;

import io.sluice.limiter.Decision;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;

/**
 * Waits until a limiter has permits for a key. Waiters for one key are served in the order of their
 * calls: a large request is not overtaken by small ones behind it. Keys do not wait for each other.
 * Only the first waiter of each key is put to the limiter, and charged only then: no permits are
 * held while waiting. Thread-safe.
 *
 * <p>The order is that of the calls of one {@code WaitingLimiter}: other callers of the same
 * limiter, or of the same key in Redis from another process, can be faster.
 *
 * <p>An acquisition ends with
 *
 * <ul>
 *   <li>{@link Decision.Conforming}: the permits are charged;
 *   <li>{@link Decision.NonConforming} or {@link Decision.Blocked}, as soon as the wait is known to
 *       exceed the one allowed: at once for the first in line; for one behind it, at the end of its
 *       own time at the latest. If the limiter was never asked about it, the wait named is that of
 *       the first in line;
 *   <li>{@link Decision.Oversized}, or another decision that waiting does not change, when its turn
 *       comes;
 *   <li>the failure of the limiter, such as {@link io.sluice.limiter.LimiterUnavailableException};
 *   <li>{@link java.util.concurrent.RejectedExecutionException}, and no charge, if there are too
 *       many waiters, or the limiter is closed;
 *   <li>the exception of the timer, and no charge, if the timer takes no more tasks.
 * </ul>
 *
 * <p>If answers take time, as from Redis, an acquisition can last longer than allowed, by the time
 * of the answers to the requests ahead in its line and to its own.
 */
public final class WaitingLimiter implements AutoCloseable {
  private static final int MOST_WAITING = 10_000;

  /** Longest wait: longer than any quota's period and, in nanoseconds, far from an overflow. */
  private static final Duration LONGEST = Duration.ofDays(36_600);

  private final WaiterQueues lines;
  private final Callbacks callbacks;
  private final Runnable atEnd;

  /**
   * Creates a limiter for at most 10,000 waiters, with callbacks on the common pool, and with one
   * thread of its own that wakes them.
   */
  public WaitingLimiter(AsyncRateLimiter limiter) {
    this(new SystemTimer(), limiter);
  }

  private WaitingLimiter(SystemTimer own, AsyncRateLimiter limiter) {
    this(new WaiterQueues(limiter, own, MOST_WAITING), Callbacks.COMMON, own::close);
  }

  /**
   * Creates a limiter for at most 10,000 waiters, with callbacks on the common pool.
   *
   * @param timer wakes the waiters. Other limiters may share it; closing this limiter leaves it
   *     open
   */
  public WaitingLimiter(AsyncRateLimiter limiter, Timer timer) {
    this(new WaiterQueues(limiter, timer, MOST_WAITING), Callbacks.COMMON, () -> {});
  }

  /**
   * Creates a limiter.
   *
   * @param limiter is called on callers' threads, on the timer's, and on those on which it answers,
   *     so it should not block
   * @param callbacks completes the futures, and so runs the callers' callbacks; the common pool
   *     does if it refuses a task. Shut it down after this limiter is closed: futures whose tasks
   *     it accepts and then drops never complete
   * @param mostWaiting most waiters, for all keys together: at least 1
   */
  public WaitingLimiter(
      AsyncRateLimiter limiter, Timer timer, Executor callbacks, int mostWaiting) {
    this(new WaiterQueues(limiter, timer, mostWaiting), callbacks, () -> {});
  }

  private WaitingLimiter(WaiterQueues lines, Executor callbacks, Runnable atEnd) {
    this.lines = lines;
    this.callbacks = new Callbacks(callbacks);
    this.atEnd = atEnd;
  }

  /**
   * Waits for permits without holding a thread.
   *
   * <p>Cancelling the future gives up its place in the line, and a cancelled future has charged
   * nothing. While the limiter is being asked (a moment in process, a round trip in Redis), {@code
   * cancel} returns false: the future then ends with {@link Decision.Conforming} if the permits
   * were charged, is cancelled if they could be charged later, and ends as it would have if they
   * never can. The same holds for completing the future, and for {@code orTimeout}. Stages that
   * depend on the future do not pass their cancellation on to it.
   *
   * @param cost permits, at least 0
   * @param atMost longest wait; 0 to ask once, after the waiters ahead
   */
  public CompletableFuture<Decision> acquireAsync(String key, long cost, Duration atMost) {
    return join(key, cost, atMost, callbacks);
  }

  /** Waits for one permit without holding a thread. */
  public CompletableFuture<Decision> acquireAsync(String key, Duration atMost) {
    return acquireAsync(key, 1, atMost);
  }

  /**
   * Waits for permits on the calling thread, as {@link #acquireAsync(String, long, Duration)} does
   * without holding one.
   *
   * @throws InterruptedException if the thread is interrupted; nothing is charged then. If the
   *     permits were charged at that moment, this method returns, and the thread stays interrupted
   * @throws io.sluice.limiter.LimiterUnavailableException if the limiter failed
   * @throws java.util.concurrent.RejectedExecutionException if there are too many waiters, or this
   *     is closed. Exceptions of the timer are thrown too
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
    return lines.join(key, cost, nanos, byWhom);
  }

  /** Closes this limiter, and ends all waiters. The limiter that it asks stays open. */
  @Override
  public void close() {
    lines.close();
    atEnd.run();
  }

  /** Returns the number of keys that have waiters. */
  int keys() {
    return lines.size();
  }

  /** Returns the number of waiters that can still be added. */
  int free() {
    return lines.free();
  }
}

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
 * Waits until a limiter has permits for a key. Those who wait for the same key are served in the
 * order in which they came: a large request is not overtaken by small ones behind it. Keys do not
 * wait for each other. The limiter is asked for the first of each line alone, and charged only
 * then: nobody holds permits while waiting. Safe for use by many threads.
 *
 * <p>The order is that of the calls of one {@code WaitingLimiter}: others that ask the same
 * limiter, or the same key in Redis from another process, may be faster.
 *
 * <p>An acquisition ends with
 *
 * <ul>
 *   <li>{@link Decision.Conforming}: the permits are charged;
 *   <li>{@link Decision.NonConforming} or {@link Decision.Blocked}, as soon as it is known that the
 *       wait exceeds the one allowed: at once for the first of a line, at the latest at the end of
 *       its time for one behind. Of one that was never asked about, the wait named is that of the
 *       first in line;
 *   <li>{@link Decision.Oversized}, or whatever else no wait mends, when its turn comes;
 *   <li>the failure of the limiter, such as {@link io.sluice.limiter.LimiterUnavailableException};
 *   <li>{@link java.util.concurrent.RejectedExecutionException}, and no charge, if too many wait
 *       already, or the limiter is closed;
 *   <li>what the timer throws, and no charge, if it takes no more tasks.
 * </ul>
 *
 * <p>If answers take their time, as from Redis, it may last longer than allowed by those to the
 * requests ahead in its line and its own.
 */
public final class WaitingLimiter implements AutoCloseable {
  private static final int MOST_WAITING = 10_000;

  /** More than any quota's period; in nanoseconds, far from an overflow. */
  private static final Duration LONGEST = Duration.ofDays(36_600);

  private final Lines lines;
  private final Callbacks callbacks;
  private final Runnable atEnd;

  /**
   * With room for 10,000 who wait, callbacks on the common pool, and one thread of its own that
   * wakes them.
   */
  public WaitingLimiter(AsyncRateLimiter limiter) {
    this(new SystemTimer(), limiter);
  }

  private WaitingLimiter(SystemTimer own, AsyncRateLimiter limiter) {
    this(new Lines(limiter, own, MOST_WAITING), Callbacks.COMMON, own::close);
  }

  /**
   * With room for 10,000 who wait, and callbacks on the common pool.
   *
   * @param timer wakes those who wait; it may be that of other limiters too, and stays open
   */
  public WaitingLimiter(AsyncRateLimiter limiter, Timer timer) {
    this(new Lines(limiter, timer, MOST_WAITING), Callbacks.COMMON, () -> {});
  }

  /**
   * @param limiter asked by threads that call this, by the timer's and by those on which the
   *     limiter answers: it should not block them
   * @param callbacks completes the futures, and so runs what callers hang on them; the common pool
   *     does if it refuses. It is shut down after this is closed: futures whose tasks it has taken
   *     and drops never end
   * @param mostWaiting how many may wait, for all keys together: at least 1
   */
  public WaitingLimiter(
      AsyncRateLimiter limiter, Timer timer, Executor callbacks, int mostWaiting) {
    this(new Lines(limiter, timer, mostWaiting), callbacks, () -> {});
  }

  private WaitingLimiter(Lines lines, Executor callbacks, Runnable atEnd) {
    this.lines = lines;
    this.callbacks = new Callbacks(callbacks);
    this.atEnd = atEnd;
  }

  /**
   * Waits for permits without holding a thread.
   *
   * <p>Cancelling the future gives the place in the line up, and a future that is cancelled has
   * charged nothing. While the limiter is being asked (in process a moment, in Redis a round trip),
   * {@code cancel} returns false: the future then ends with {@link Decision.Conforming} if the
   * permits were charged, is cancelled if they may be later, and ends as it would have if they
   * never can. The same holds for completing it, and for {@code orTimeout}. Stages that depend on
   * the future do not pass their cancellation on to it.
   *
   * @param cost permits, at least 0
   * @param atMost how long to wait; 0 to ask once, when those ahead have been asked about
   */
  public CompletableFuture<Decision> acquireAsync(String key, long cost, Duration atMost) {
    return join(key, cost, atMost, callbacks);
  }

  /** Waits for one permit without holding a thread. */
  public CompletableFuture<Decision> acquireAsync(String key, Duration atMost) {
    return acquireAsync(key, 1, atMost);
  }

  /**
   * Waits for permits on this thread, as {@link #acquireAsync(String, long, Duration)} does without
   * it.
   *
   * @throws InterruptedException if the thread is interrupted; nothing is charged then. If the
   *     permits were charged at that moment, this returns, and the thread remains interrupted
   * @throws io.sluice.limiter.LimiterUnavailableException if the limiter failed
   * @throws java.util.concurrent.RejectedExecutionException if too many wait, or it is closed. What
   *     the timer throws is thrown too
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

  /** Waits for one permit on this thread. */
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

  /** Ends, and with it all who wait. The limiter that it asks stays open. */
  @Override
  public void close() {
    lines.close();
    atEnd.run();
  }

  /** How many keys have somebody who waits for them. */
  int keys() {
    return lines.size();
  }

  /** How many more may wait. */
  int free() {
    return lines.free();
  }
}

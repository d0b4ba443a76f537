package io.sluice.limiter.redis;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * State of a circuit breaker for Redis: closed while Redis answers, open from a failed call until a
 * probe succeeds. Its owner sends the probes. Thread-safe.
 */
public final class CircuitBreaker {
  /*
   * Pattern "circuit breaker" of M. Nygard, "Release It!", 2007. If Redis comes back and soon fails
   * again, such as a Redis that answers the probe but is too slow to meter events, each opening of
   * the circuit waits longer before the first probe.
   */
  public static final long FIRST_RETRY_MS = 100;
  public static final long LAST_RETRY_MS = 2_000;

  private volatile boolean open;
  private volatile CountDownLatch closed = new CountDownLatch(0);
  private long retryMs = FIRST_RETRY_MS;
  private long timesClosed;

  public boolean isOpen() {
    return open;
  }

  /** Opens the circuit after a failed call; returns false if it is open already. */
  public synchronized boolean open() {
    if (open) return false;
    closed = new CountDownLatch(1);
    open = true;
    return true;
  }

  /**
   * Returns the wait between an opening of the circuit by a failed call and the first probe of
   * Redis, milliseconds. The wait doubles with each such opening, up to 2 s, until the circuit has
   * stayed closed for a while.
   */
  public synchronized long nextRetryMs() {
    long next = retryMs;
    retryMs = Math.min(2 * retryMs, LAST_RETRY_MS);
    return next;
  }

  /**
   * Closes the circuit, because Redis is back.
   *
   * @return how often the circuit has been closed so far
   */
  public synchronized long close() {
    open = false;
    closed.countDown();
    return ++timesClosed;
  }

  /**
   * Resets the wait before the first probe, unless the circuit has been opened since it was closed.
   *
   * @param times number that {@link #close} returned
   */
  public synchronized void steadySince(long times) {
    if (!open && times == timesClosed) retryMs = FIRST_RETRY_MS;
  }

  /** Waits until the circuit is closed, for at most the given milliseconds. */
  public void awaitClosed(long mostMs) throws InterruptedException {
    closed.await(mostMs, TimeUnit.MILLISECONDS);
  }
}

package io.sluice.topology.redis;

import io.sluice.topology.metrics.RedisMetrics;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * State of a circuit breaker for Redis: closed while Redis answers, open from a failed call until
 * Redis answers again. Only {@link #isOpen} and {@link #awaitClosed} are safe for many threads.
 */
final class Circuit {
  /*
   * Pattern "circuit breaker" of M. Nygard, "Release It!", 2007. If Redis comes back and soon fails
   * again, such as a Redis that answers the probe but is too slow to meter events, each opening of
   * the circuit waits longer before the first probe.
   */
  private static final Logger LOG = LoggerFactory.getLogger(Circuit.class);
  static final long FIRST_RETRY_MS = 100;
  static final long LAST_RETRY_MS = 2_000;

  private final RedisMetrics metrics;
  private volatile boolean open;
  private volatile CountDownLatch closed = new CountDownLatch(0);
  private long retryMs = FIRST_RETRY_MS;
  private long timesClosed;

  Circuit(RedisMetrics metrics) {
    this.metrics = metrics;
  }

  boolean isOpen() {
    return open;
  }

  void open(String why) {
    open = true;
    closed = new CountDownLatch(1);
    metrics.isAvailable(false);
    LOG.warn("Redis is unavailable: {}", why);
  }

  /**
   * Returns the wait between an opening of the circuit by a failed call and the first probe of
   * Redis, milliseconds. The wait doubles with each such opening, up to 2 s, until the circuit has
   * stayed closed for a while.
   */
  long nextRetryMs() {
    long next = retryMs;
    retryMs = Math.min(2 * retryMs, LAST_RETRY_MS);
    return next;
  }

  /**
   * Closes the circuit, because Redis is back.
   *
   * @return how often the circuit has been closed so far
   */
  long close() {
    open = false;
    metrics.isAvailable(true);
    closed.countDown();
    return ++timesClosed;
  }

  /**
   * Resets the wait before the first probe, unless the circuit has been opened since it was closed.
   *
   * @param times number that {@link #close} returned
   */
  void steadySince(long times) {
    if (!open && times == timesClosed) retryMs = FIRST_RETRY_MS;
  }

  /** Waits until the circuit is closed, for at most the given milliseconds. */
  void awaitClosed(long mostMs) throws InterruptedException {
    closed.await(mostMs, TimeUnit.MILLISECONDS);
  }
}

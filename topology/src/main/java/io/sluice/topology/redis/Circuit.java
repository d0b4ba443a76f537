package io.sluice.topology.redis;

import io.sluice.topology.metrics.RedisMetrics;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Circuit breaker for Redis: closed while Redis answers, open from a failure until Redis is back.
 * Only {@link #isOpen} and {@link #awaitClosed} are safe for many threads.
 */
final class Circuit {
  /*
   * M. Nygard, "Release It!", 2007. A Redis that comes back and fails again, such as one that
   * answers the probe but is too slow for questions, is tried less and less often.
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
   * Returns the wait before the next attempt; it doubles with each failure until the circuit stays
   * closed for a while.
   */
  long nextRetryMs() {
    long next = retryMs;
    retryMs = Math.min(2 * retryMs, LAST_RETRY_MS);
    return next;
  }

  /**
   * Closes the circuit, because Redis is back.
   *
   * @return how often it has been closed so far
   */
  long close() {
    open = false;
    metrics.isAvailable(true);
    closed.countDown();
    return ++timesClosed;
  }

  /** Resets the wait, unless the circuit has been opened after the closing with this number. */
  void steadySince(long times) {
    if (!open && times == timesClosed) retryMs = FIRST_RETRY_MS;
  }

  /** Waits until the circuit is closed, at most this long. */
  void awaitClosed(long mostMs) throws InterruptedException {
    closed.await(mostMs, TimeUnit.MILLISECONDS);
  }
}

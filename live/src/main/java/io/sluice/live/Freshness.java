package io.sluice.live;

import java.util.function.LongSupplier;

/**
 * Guard against outdated limits. A thread that meters events waits if the last confirmed reading to
 * the topic's end is more than a second old: this process may have been suspended while other
 * instances have read a revision that is now in force. Thread-safe.
 *
 * <p>If the topic cannot be read, a thread waits for at most five seconds; after that no thread
 * waits until the topic can be read again.
 */
final class Freshness {
  static final long MOST_AGE_NANOS = 1_000_000_000L;
  static final long MOST_WAIT_NANOS = 5_000_000_000L;
  private static final long LOOK_MS = 50;

  private final LongSupplier nanos;
  private final Listener listener;

  /**
   * Monotonic time of the request for the end offset that the reading of the topic has last
   * reached.
   */
  private volatile long askedNanos;

  private volatile boolean waits = true;
  private boolean closed;

  /**
   * Listener that is told when limits become stale and when they are fresh again, on any thread.
   */
  interface Listener {
    void stale();

    void freshAgain();
  }

  Freshness(LongSupplier nanos, Listener listener) {
    this.nanos = nanos;
    this.listener = listener;
    askedNanos = nanos.getAsLong();
  }

  /** Waits until the limits are fresh, for at most five seconds; usually returns at once. */
  void await() {
    if (!waits) return;
    long now = nanos.getAsLong();
    if (now - askedNanos > MOST_AGE_NANOS) await(now);
  }

  private synchronized void await(long sinceNanos) {
    RunningTime waiting = new RunningTime(sinceNanos);
    while (waits && askedNanos - sinceNanos < 0) {
      if (waiting.passed(nanos.getAsLong()) >= MOST_WAIT_NANOS) {
        giveUp();
        return;
      }
      try {
        wait(LOOK_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /**
   * Called when all records have been read that the topic contained at the given monotonic time.
   */
  synchronized void confirm(long whenAskedNanos) {
    askedNanos = whenAskedNanos;
    if (closed || waits) {
      notifyAll();
      return;
    }
    waits = true;
    listener.freshAgain();
  }

  /**
   * Lets all threads use the limits without waiting, until the next confirmed reading of the topic.
   */
  synchronized void giveUp() {
    if (!waits) return;
    waits = false;
    notifyAll();
    listener.stale();
  }

  /** Lets all threads use the limits without waiting, permanently. */
  synchronized void close() {
    closed = true;
    waits = false;
    notifyAll();
  }
}

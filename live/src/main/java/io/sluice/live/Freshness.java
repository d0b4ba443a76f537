package io.sluice.live;

import java.util.function.LongSupplier;

/**
 * Guard against outdated limits. A thread that meters waits if the last confirmed reading to the
 * topic's end is more than a second old: this process may have been suspended while other instances
 * have read a revision that is now in force. Thread-safe.
 *
 * <p>If the topic cannot be read, a thread waits for at most five seconds; after that none waits
 * until the topic can be read again.
 */
final class Freshness {
  static final long MOST_AGE_NANOS = 1_000_000_000L;
  static final long MOST_WAIT_NANOS = 5_000_000_000L;
  private static final long LOOK_MS = 50;

  private final LongSupplier nanos;
  private final Listener listener;

  /** Time at which the end offset was requested that the reading has last reached. */
  private volatile long askedNanos;

  private volatile boolean waits = true;
  private boolean closed;

  /** Receives changes between fresh and stale, on any thread. */
  interface Listener {
    void stale();

    void freshAgain();
  }

  Freshness(LongSupplier nanos, Listener listener) {
    this.nanos = nanos;
    this.listener = listener;
    askedNanos = nanos.getAsLong();
  }

  /** Waits until the limits are fresh; usually returns at once. */
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

  /** Called when everything has been read that the topic contained at the given time. */
  synchronized void confirm(long whenAskedNanos) {
    askedNanos = whenAskedNanos;
    if (closed || waits) {
      notifyAll();
      return;
    }
    waits = true;
    listener.freshAgain();
  }

  /** Lets all threads pass without waiting until the next confirmation. */
  synchronized void giveUp() {
    if (!waits) return;
    waits = false;
    notifyAll();
    listener.stale();
  }

  /** Lets all threads pass without waiting, permanently. */
  synchronized void close() {
    closed = true;
    waits = false;
    notifyAll();
  }
}

package io.sluice.topology.live;

import java.util.function.LongSupplier;

/**
 * The freshness of what is known of the topic. Whoever wants to meter waits here if the topic was
 * not found read to its end within the last second: this process may have stood still, while others
 * have read a revision that is in force by now. Safe for many threads.
 *
 * <p>If the topic cannot be read, nobody waits for more than five seconds, and then nobody waits
 * until it can be read again.
 */
final class Freshness {
  static final long MOST_AGE_NANOS = 1_000_000_000L;
  static final long MOST_WAIT_NANOS = 5_000_000_000L;
  private static final long LOOK_MS = 50;

  private final LongSupplier nanos;
  private final Listener listener;

  /** When it was asked how far the topic goes, of what has been read up to that end. */
  private volatile long askedNanos;

  private volatile boolean waits = true;
  private boolean closed;

  /** Is told what changes, by whichever thread notices. */
  interface Listener {
    void stale();

    void freshAgain();
  }

  Freshness(LongSupplier nanos, Listener listener) {
    this.nanos = nanos;
    this.listener = listener;
    askedNanos = nanos.getAsLong();
  }

  /** Returns at once, as a rule. */
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

  /** Everything has been read that was there when this was asked. */
  synchronized void confirm(long whenAskedNanos) {
    askedNanos = whenAskedNanos;
    if (closed || waits) {
      notifyAll();
      return;
    }
    waits = true;
    listener.freshAgain();
  }

  /** Nobody waits until it is confirmed again. */
  synchronized void giveUp() {
    if (!waits) return;
    waits = false;
    notifyAll();
    listener.stale();
  }

  /** Nobody waits any more. */
  synchronized void close() {
    closed = true;
    waits = false;
    notifyAll();
  }
}

package io.sluice.limiter.async;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * A thread that asks: whatever has come while it waited for one answer goes with its next call, in
 * the order in which it came.
 */
class Asker {
  /** A few milliseconds of Redis' one thread, in calls of which two are under way. */
  private static final int MOST_TOGETHER = 500;

  private final Consumer<List<Call>> asking;
  private final Queue<Call> waiting = new ArrayDeque<>();
  private final Thread thread = new Thread(this::run, "sluice-redis-gatherer");
  private boolean closed;

  /** One that has not started. */
  Asker(Consumer<List<Call>> asking) {
    this.asking = asking;
    thread.setDaemon(true);
  }

  /**
   * @param asking sees to it that calls are answered, one way or another, also if it throws
   */
  static Asker start(Consumer<List<Call>> asking) {
    Asker asker = new Asker(asking);
    asker.thread.start();
    return asker;
  }

  synchronized void take(Call call) {
    waiting.add(call);
    notifyAll();
  }

  private void run() {
    boolean more = true;
    while (more) {
      try {
        List<Call> calls = next();
        more = !calls.isEmpty();
        if (more) asking.accept(calls);
      } catch (Throwable e) {
        // Such as for want of memory. Nobody else would ask those who come later.
      }
    }
  }

  /** Those who wait, as many as go together; none when it is closed. */
  private synchronized List<Call> next() {
    while (waiting.isEmpty() && !closed) {
      try {
        wait();
      } catch (InterruptedException e) {
        // The thread is this one's own: it ends when it is closed, and not before.
      }
    }
    List<Call> calls = new ArrayList<>(Math.min(waiting.size(), MOST_TOGETHER));
    while (!waiting.isEmpty() && calls.size() < MOST_TOGETHER) calls.add(waiting.remove());
    return calls;
  }

  /** Ends the thread when those who are being answered are; returns those who wait. */
  synchronized List<Call> close() {
    closed = true;
    List<Call> left = new ArrayList<>(waiting);
    waiting.clear();
    notifyAll();
    return left;
  }

  boolean isThisThread() {
    return Thread.currentThread() == thread;
  }

  void awaitEnd() {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) Thread.currentThread().interrupt();
  }
}

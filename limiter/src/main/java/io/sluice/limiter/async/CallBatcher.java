package io.sluice.limiter.async;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Queue of calls to Redis, and the thread that sends them. Calls that come while the thread waits
 * for an answer are sent together in its next batch, in the order in which they came. Thread-safe.
 */
public class CallBatcher<C> {
  /**
   * Largest number of calls in a batch, which occupies Redis' single thread for a few milliseconds.
   */
  private static final int MOST_TOGETHER = 500;

  /** Largest number of restricted calls in a batch. */
  private static final int MOST_RESTRICTED = 16;

  private final Consumer<List<C>> sending;
  private final Predicate<C> restricted;
  private final String threadName;
  private final Queue<C> waiting = new ArrayDeque<>();
  private Thread thread;
  private boolean closed;

  /**
   * Creates a batcher whose thread starts with the first call.
   *
   * @param sending sends a batch of calls to Redis; it must complete every call, with an answer or
   *     a failure, even if it throws
   */
  public CallBatcher(String threadName, Consumer<List<C>> sending) {
    this(threadName, sending, call -> false);
  }

  /**
   * Creates a batcher with at most 16 restricted calls in a batch.
   *
   * @param restricted whether a call is restricted
   */
  public CallBatcher(String threadName, Consumer<List<C>> sending, Predicate<C> restricted) {
    this.threadName = threadName;
    this.sending = sending;
    this.restricted = restricted;
  }

  /** Starts the thread, unless it has started. */
  synchronized CallBatcher<C> start() {
    if (thread != null) return this;
    Thread started = new Thread(this::run, threadName);
    started.setDaemon(true);
    started.start();
    thread = started;
    return this;
  }

  /** Queues a call; returns false if the batcher is closed. */
  public synchronized boolean take(C call) {
    if (closed) return false;
    start();
    waiting.add(call);
    notifyAll();
    return true;
  }

  private void run() {
    boolean more = true;
    while (more) {
      try {
        List<C> calls = next();
        more = !calls.isEmpty();
        if (more) sending.accept(calls);
      } catch (Throwable e) {
        // An error, for example out of memory, does not end this thread, because later calls depend
        // on it.
      }
    }
  }

  /** Waits for calls, and removes and returns the next batch; returns no calls after a close. */
  private synchronized List<C> next() {
    while (waiting.isEmpty() && !closed) {
      try {
        wait();
      } catch (InterruptedException e) {
        // Only close ends this thread; an interrupt is ignored.
      }
    }
    // The list is allocated before calls are removed, so that an OutOfMemoryError loses no call.
    List<C> calls = new ArrayList<>(Math.min(waiting.size(), MOST_TOGETHER));
    int limited = 0;
    while (!waiting.isEmpty() && calls.size() < MOST_TOGETHER) {
      if (restricted.test(waiting.element()) && ++limited > MOST_RESTRICTED) break;
      calls.add(waiting.remove());
    }
    return calls;
  }

  /** Removes and returns the queued calls, which were not sent. */
  public synchronized List<C> drain() {
    List<C> left = new ArrayList<>(waiting);
    waiting.clear();
    return left;
  }

  /**
   * Ends the thread after the batch that Redis is answering; removes and returns the queued calls,
   * which were not sent.
   */
  public synchronized List<C> close() {
    closed = true;
    notifyAll();
    return drain();
  }

  synchronized boolean isThisThread() {
    return Thread.currentThread() == thread;
  }

  void awaitEnd() {
    Thread ending;
    synchronized (this) {
      ending = thread;
    }
    boolean interrupted = false;
    while (ending != null && ending.isAlive()) {
      try {
        ending.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) Thread.currentThread().interrupt();
  }
}

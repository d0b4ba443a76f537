package io.sluice.limiter.async;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * Thread that sends calls to Redis. Calls that come while the thread waits for an answer are sent
 * together in its next batch, in the order in which they came.
 */
class Asker {
  /**
   * Largest number of calls in a batch, which occupies Redis' single thread for a few milliseconds.
   */
  private static final int MOST_TOGETHER = 500;

  private final Consumer<List<Call>> asking;
  private final Queue<Call> waiting = new ArrayDeque<>();
  private final Thread thread = new Thread(this::run, "sluice-redis-gatherer");
  private boolean closed;

  /**
   * Creates an asker whose thread has not started.
   *
   * @param asking sends a batch of calls to Redis
   */
  Asker(Consumer<List<Call>> asking) {
    this.asking = asking;
    thread.setDaemon(true);
  }

  /**
   * Creates an asker and starts its thread.
   *
   * @param asking sends a batch of calls to Redis; it must complete every call, with an answer or a
   *     failure, even if it throws
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
        // An error, for example out of memory, does not end this thread, because later calls depend
        // on it.
      }
    }
  }

  /**
   * Waits for calls, and removes and returns at most {@link #MOST_TOGETHER} of them; returns no
   * calls after {@link #close}.
   */
  private synchronized List<Call> next() {
    while (waiting.isEmpty() && !closed) {
      try {
        wait();
      } catch (InterruptedException e) {
        // Only close ends this thread; an interrupt is ignored.
      }
    }
    List<Call> calls = new ArrayList<>(Math.min(waiting.size(), MOST_TOGETHER));
    while (!waiting.isEmpty() && calls.size() < MOST_TOGETHER) calls.add(waiting.remove());
    return calls;
  }

  /**
   * Ends the thread after the batch that Redis is answering; returns the calls that were not sent.
   */
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

package io.sluice.spring.metering;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * Queue of method calls to be metered in Redis. One thread sends them in batches: all calls that
 * arrived while it waited for an answer are sent together, in their order. Thread-safe.
 */
final class RedisLine {
  /**
   * Maximum number of calls in a batch that also have limits in this process. The limits in this
   * process judge each call before Redis answers any of the batch, so up to this many calls may be
   * charged in Redis when this process has one permit left.
   */
  static final int MOST_ASKED_HERE_TOO = 16;

  /**
   * Maximum number of calls in a batch. The other calls wait in the queue, where a call that is
   * cancelled is not sent.
   */
  static final int MOST_TOGETHER = 500;

  private final Consumer<List<LateCall>> asking;
  private final Queue<LateCall> waiting = new ArrayDeque<>();
  private boolean started;
  private boolean closed;

  /**
   * @param asking sends a batch of calls to Redis and completes them; if it throws, calls that are
   *     not complete fail
   */
  RedisLine(Consumer<List<LateCall>> asking) {
    this.asking = asking;
  }

  /** Queues a call, which the sending thread completes; returns false if the queue is closed. */
  synchronized boolean take(LateCall call) {
    if (closed) return false;
    if (!started) start();
    waiting.add(call);
    notifyAll();
    return true;
  }

  private void start() {
    Thread thread = new Thread(this::run, "sluice-redis-line");
    thread.setDaemon(true);
    thread.start();
    started = true;
  }

  private void run() {
    while (!isOver()) {
      List<LateCall> calls = List.of();
      try {
        calls = next();
        if (!calls.isEmpty()) asking.accept(calls);
      } catch (Throwable e) { // Errors too, so that calls complete and the thread survives
        for (LateCall call : calls) call.fail(e);
      }
    }
  }

  private synchronized boolean isOver() {
    return closed && waiting.isEmpty();
  }

  /**
   * Waits for calls, then removes and returns the next batch; empty if the queue is closed and has
   * no calls.
   */
  private synchronized List<LateCall> next() {
    while (waiting.isEmpty() && !closed) {
      try {
        wait();
      } catch (InterruptedException e) {
        // The sending thread ends only when the queue is closed.
      }
    }
    // The list is allocated before calls are removed, so that an OutOfMemoryError loses no call.
    List<LateCall> calls = new ArrayList<>(Math.min(waiting.size(), MOST_TOGETHER));
    int here = 0;
    while (!waiting.isEmpty() && calls.size() < MOST_TOGETHER) {
      if (waiting.element().asksHereToo() && ++here > MOST_ASKED_HERE_TOO) break;
      calls.add(waiting.remove());
    }
    return calls;
  }

  /** Removes and returns all queued calls, which were not sent. */
  synchronized List<LateCall> leave() {
    List<LateCall> left = new ArrayList<>(waiting);
    waiting.clear();
    return left;
  }

  /** Closes the queue; removes and returns the queued calls, which were not sent. */
  synchronized List<LateCall> close() {
    closed = true;
    notifyAll();
    return leave();
  }
}

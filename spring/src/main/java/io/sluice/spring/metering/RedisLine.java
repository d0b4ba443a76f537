package io.sluice.spring.metering;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * Queue of asynchronous calls to Redis. One thread sends them in batches: all calls that arrived
 * while it waited for an answer are sent together, in their order. Thread-safe.
 */
final class RedisLine {
  /**
   * Maximum number of calls in a batch that are also metered in this process. The decision in this
   * process for one call does not know of the others, so up to this many may be charged in Redis
   * for its last permit.
   */
  static final int MOST_ASKED_HERE_TOO = 16;

  /**
   * Maximum size of a batch. A call that is cancelled while an earlier batch is sent is not sent.
   */
  static final int MOST_TOGETHER = 500;

  private final Consumer<List<LateCall>> asking;
  private final Queue<LateCall> waiting = new ArrayDeque<>();
  private boolean started;
  private boolean closed;

  /**
   * @param asking answers a batch of calls; if it throws, calls without an answer fail
   */
  RedisLine(Consumer<List<LateCall>> asking) {
    this.asking = asking;
  }

  /** Queues a call, to be answered by another thread; returns false if the queue is closed. */
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
      } catch (Throwable e) { // Errors too: no other thread would answer these calls or later ones
        for (LateCall call : calls) call.fail(e);
      }
    }
  }

  private synchronized boolean isOver() {
    return closed && waiting.isEmpty();
  }

  /** Waits for calls and removes the next batch; empty when the queue is closed. */
  private synchronized List<LateCall> next() {
    while (waiting.isEmpty() && !closed) {
      try {
        wait();
      } catch (InterruptedException e) {
        // The thread ends only when the queue is closed.
      }
    }
    // Allocate before removing calls, so that an OutOfMemoryError loses none.
    List<LateCall> calls = new ArrayList<>(Math.min(waiting.size(), MOST_TOGETHER));
    int here = 0;
    while (!waiting.isEmpty() && calls.size() < MOST_TOGETHER) {
      if (waiting.element().asksHereToo() && ++here > MOST_ASKED_HERE_TOO) break;
      calls.add(waiting.remove());
    }
    return calls;
  }

  /** Removes and returns the calls that were not sent. */
  synchronized List<LateCall> leave() {
    List<LateCall> left = new ArrayList<>(waiting);
    waiting.clear();
    return left;
  }

  /** Closes the queue; removes and returns the calls that were not sent. */
  synchronized List<LateCall> close() {
    closed = true;
    notifyAll();
    return leave();
  }
}

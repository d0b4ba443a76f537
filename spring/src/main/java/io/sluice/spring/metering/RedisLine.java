package io.sluice.spring.metering;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * The line of calls that hold no thread. One thread asks for all of them: whatever has come while
 * it waited for one answer goes together, in the order in which it came. Safe for many threads.
 */
final class RedisLine {
  /**
   * How many calls go together that this process has a say in. What it says of one does not know of
   * the others, so this is how many may be charged in Redis for its last permit.
   */
  static final int MOST_ASKED_HERE_TOO = 16;

  /** How many go together at most: who leaves while others are asked about is not asked about. */
  static final int MOST_TOGETHER = 500;

  private final Consumer<List<LateCall>> asking;
  private final Queue<LateCall> waiting = new ArrayDeque<>();
  private boolean started;
  private boolean closed;

  /**
   * @param asking has calls answered, in their order; those that it leaves fail if it throws
   */
  RedisLine(Consumer<List<LateCall>> asking) {
    this.asking = asking;
  }

  /** Takes a call, to be answered by another thread; not if this is closed. */
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
      } catch (Throwable e) { // also of an error: nobody else would answer these, or those to come
        for (LateCall call : calls) call.fail(e);
      }
    }
  }

  private synchronized boolean isOver() {
    return closed && waiting.isEmpty();
  }

  /** Those that go together; none when this is closed. */
  private synchronized List<LateCall> next() {
    while (waiting.isEmpty() && !closed) {
      try {
        wait();
      } catch (InterruptedException e) {
        // The thread is this one's own: it ends when this is closed, and not before.
      }
    }
    // All the room that is needed, before anybody leaves the line: none may be lost.
    List<LateCall> calls = new ArrayList<>(Math.min(waiting.size(), MOST_TOGETHER));
    int here = 0;
    while (!waiting.isEmpty() && calls.size() < MOST_TOGETHER) {
      if (waiting.element().asksHereToo() && ++here > MOST_ASKED_HERE_TOO) break;
      calls.add(waiting.remove());
    }
    return calls;
  }

  /** Those that nobody has asked about, who leave the line. */
  synchronized List<LateCall> leave() {
    List<LateCall> left = new ArrayList<>(waiting);
    waiting.clear();
    return left;
  }

  /** Takes no calls any more; returns those that nobody has asked about. */
  synchronized List<LateCall> close() {
    closed = true;
    notifyAll();
    return leave();
  }
}

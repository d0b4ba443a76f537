package io.sluice.spring.proxy;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that ask Redis for methods that return a {@code CompletionStage}, so that their
 * callers do not wait. With too much to ask, a caller does it itself, and so it does when the
 * application ends: what is not run leaves a future that never completes.
 */
public final class BackgroundCalls implements AutoCloseable {
  private static final int THREADS = 16;
  private static final int MOST_WAITING = 10_000;
  private static final long IDLE_SECONDS = 60;

  private final AtomicInteger started = new AtomicInteger();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(MOST_WAITING),
          this::daemon,
          (call, full) -> call.run());

  public BackgroundCalls() {
    threads.allowCoreThreadTimeOut(true);
  }

  private Thread daemon(Runnable call) {
    Thread thread = new Thread(call, "sluice-call-" + started.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }

  public void execute(Runnable call) {
    threads.execute(call);
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}

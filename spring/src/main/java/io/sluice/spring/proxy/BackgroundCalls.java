package io.sluice.spring.proxy;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that call methods which return a {@code CompletionStage}, once Redis has answered:
 * the one that asks it is needed by others, so none of its calls is refused. When the application
 * ends, that one does it itself: what is not run leaves a future that never completes.
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
          new LinkedBlockingQueue<>(),
          this::daemon,
          (call, ended) -> call.run());

  public BackgroundCalls() {
    threads.allowCoreThreadTimeOut(true);
  }

  private Thread daemon(Runnable call) {
    Thread thread = new Thread(call, "sluice-call-" + started.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Whether there are so many calls that wait for a thread that no more should be taken in. Those
   * that Redis is being asked about are not among them.
   */
  boolean areTooMany() {
    return threads.getQueue().size() >= MOST_WAITING;
  }

  public void execute(Runnable call) {
    threads.execute(call);
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}

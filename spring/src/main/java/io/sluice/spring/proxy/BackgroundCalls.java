package io.sluice.spring.proxy;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Thread pool that runs limited methods that return a {@code CompletionStage}, after Redis has
 * answered. The thread that sends requests to Redis must not run these methods, as other calls need
 * it; so the pool rejects no task. After {@link #close}, tasks run on the submitting thread: a task
 * that is not run would leave a future that never completes.
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
    Thread thread = new CallThread(call, "sluice-call-" + started.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }

  private static final class CallThread extends Thread {
    CallThread(Runnable call, String name) {
      super(call, name);
    }
  }

  /**
   * Whether a call may be queued for the pool: not if 10,000 tasks are queued, nor on a thread of
   * the pool, because all threads could then wait for each other. Calls that wait for Redis are not
   * counted.
   */
  boolean take() {
    boolean own = Thread.currentThread() instanceof CallThread;
    return !own && threads.getQueue().size() < MOST_WAITING;
  }

  public void execute(Runnable call) {
    threads.execute(call);
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}

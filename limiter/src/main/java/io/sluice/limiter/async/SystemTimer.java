package io.sluice.limiter.async;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Real time, and one daemon thread, which there is once something is to be run later. Any number of
 * limiters may share one: it is closed after them, for nobody is woken then.
 */
public final class SystemTimer implements Timer, AutoCloseable {
  private final ScheduledThreadPoolExecutor executor =
      new ScheduledThreadPoolExecutor(1, SystemTimer::newThread);

  /** Without a thread as yet. */
  public SystemTimer() {
    executor.setRemoveOnCancelPolicy(true);
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private static Thread newThread(Runnable task) {
    Thread thread = new Thread(task, "sluice-waiting");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  /**
   * @throws java.util.concurrent.RejectedExecutionException if this is closed
   */
  @Override
  public Runnable after(long delayNanos, Runnable task) {
    Future<?> scheduled = executor.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
    return () -> scheduled.cancel(false);
  }

  /** Ends the thread. What is still to be run never is. */
  @Override
  public void close() {
    executor.shutdown();
  }
}

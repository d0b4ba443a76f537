package io.sluice.limiter.async;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * {@link Timer} with real time and one daemon thread, which starts with the first task. Any number
 * of limiters may share a timer. Close the timer after the limiters, because no task runs after
 * that.
 */
public final class SystemTimer implements Timer, AutoCloseable {
  private final ScheduledThreadPoolExecutor executor =
      new ScheduledThreadPoolExecutor(1, SystemTimer::newThread);

  /** Creates a timer whose thread has not started. */
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
   * @throws java.util.concurrent.RejectedExecutionException if the timer is closed
   */
  @Override
  public Runnable after(long delayNanos, Runnable task) {
    Future<?> scheduled = executor.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
    return () -> scheduled.cancel(false);
  }

  /** Ends the thread. Tasks that are still scheduled never run. */
  @Override
  public void close() {
    executor.shutdown();
  }
}

package io.sluice.limiter.async;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Real time, and one thread, which there is once something is to be run later. */
final class SystemTimer implements Timer, AutoCloseable {
  private final ScheduledThreadPoolExecutor executor =
      new ScheduledThreadPoolExecutor(1, SystemTimer::newThread);

  SystemTimer() {
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

  @Override
  public Runnable after(long delayNanos, Runnable task) {
    Future<?> scheduled = executor.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
    return () -> scheduled.cancel(false);
  }

  @Override
  public void close() {
    executor.shutdown();
  }
}

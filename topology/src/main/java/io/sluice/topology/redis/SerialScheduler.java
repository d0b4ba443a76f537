package io.sluice.topology.redis;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Scheduler that runs delayed tasks one after another, never two at a time. */
interface SerialScheduler extends AutoCloseable {
  /** Runs a task once after a delay in milliseconds, unless the scheduler is closed before. */
  void afterMs(long delayMs, Runnable task);

  /** Discards the scheduled tasks, and does not wait for a task that is running. */
  @Override
  void close();

  /** Creates a scheduler that runs its tasks on one new daemon thread with the given name. */
  static SerialScheduler onAThread(String name) {
    ScheduledThreadPoolExecutor one =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    // After the scheduler is closed, new tasks are discarded without an exception.
    one.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    return new SerialScheduler() {
      @Override
      public void afterMs(long delayMs, Runnable task) {
        var unused = one.schedule(task, delayMs, TimeUnit.MILLISECONDS);
      }

      @Override
      public void close() {
        one.shutdownNow();
      }
    };
  }
}

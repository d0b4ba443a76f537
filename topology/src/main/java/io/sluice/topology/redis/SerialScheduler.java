package io.sluice.topology.redis;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Scheduler that runs tasks one after another. */
interface SerialScheduler extends AutoCloseable {
  /** Runs a task after a delay, unless the scheduler is closed before. */
  void afterMs(long delayMs, Runnable task);

  /** Discards the scheduled tasks, and does not wait for one that runs. */
  @Override
  void close();

  /** Returns a scheduler with a daemon thread of its own. */
  static SerialScheduler onAThread(String name) {
    ScheduledThreadPoolExecutor one =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    one.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy()); // once closed
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

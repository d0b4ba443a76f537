package io.sluice.topology.redis;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A place where tasks run later, one after another. */
interface Later extends AutoCloseable {
  /** Runs a task after a while, unless this is closed before. */
  void afterMs(long delayMs, Runnable task);

  /** Runs nothing any more, and does not wait for what runs. */
  @Override
  void close();

  /** A thread of its own, which ends with the process at the latest. */
  static Later onAThread(String name) {
    ScheduledThreadPoolExecutor one =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    one.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy()); // closed
    return new Later() {
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

package io.sluice.live;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Thread that repeats a task at a fixed interval, also after exceptions. */
final class Ticks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Ticks.class);

  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  private Ticks(String name, long seconds, Runnable task) {
    thread = new Thread(() -> run(seconds, task), name);
    thread.setDaemon(true);
  }

  /** Starts the thread, which runs the task at once. */
  static Ticks start(String name, long seconds, Runnable task) {
    Ticks ticks = new Ticks(name, seconds, task);
    ticks.thread.start();
    return ticks;
  }

  private void run(long seconds, Runnable task) {
    try {
      do {
        tryTo(task);
      } while (!closed.await(seconds, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void tryTo(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      LOG.warn("{} failed once, and continues", Thread.currentThread().getName(), e);
    }
  }

  @Override
  public void close() {
    closed.countDown();
    thread.interrupt();
  }
}

package io.sluice.limiter.async;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Executor that completes futures, and so runs the callbacks of their users. A task runs on the
 * calling thread only if the executor itself runs tasks there, or if no executor accepts the task.
 */
record Callbacks(Executor executor) {
  /**
   * The common pool; if the common pool is configured without threads, an executor with a new
   * thread for each task.
   */
  static final Executor COMMON =
      ForkJoinPool.getCommonPoolParallelism() > 0
          ? ForkJoinPool.commonPool()
          : new CompletableFuture<>().defaultExecutor();

  /**
   * Runs a task once. A failure of the executor is not thrown, because otherwise a caller would
   * wait for its future forever.
   */
  void run(Runnable task) {
    AtomicBoolean begun = new AtomicBoolean();
    Runnable once =
        () -> {
          if (!begun.getAndSet(true)) task.run();
        };
    if (isTaken(executor, once) || isTaken(COMMON, once)) return;
    once.run();
  }

  /**
   * Whether the executor accepts the task. An executor refuses it if it is shut down, full or
   * unable to create a thread. An executor that throws may have run the task nevertheless.
   */
  private static boolean isTaken(Executor by, Runnable task) {
    try {
      by.execute(task);
      return true;
    } catch (RuntimeException | Error e) {
      return false;
    }
  }
}

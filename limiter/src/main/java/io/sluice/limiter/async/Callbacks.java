package io.sluice.limiter.async;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Executor that completes futures, and so runs the callbacks of their users. A task runs on the
 * calling thread only if the executor runs it there, or if no executor accepts it.
 */
record Callbacks(Executor executor) {
  /** Common pool; if that is configured without threads, a new thread for each task. */
  static final Executor COMMON =
      ForkJoinPool.getCommonPoolParallelism() > 0
          ? ForkJoinPool.commonPool()
          : new CompletableFuture<>().defaultExecutor();

  /**
   * Runs a task once. Throws nothing, because otherwise a caller would wait for its future forever.
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
   * Whether the executor takes the task: not if it is shut down, full or without a thread. It may
   * have run the task even if it throws.
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

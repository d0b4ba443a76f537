package io.sluice.limiter.async;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Where futures are completed, and so where what others have hung on them runs. Never the thread
 * that calls this, unless the executor is one that runs tasks there, or no other can be had.
 */
record Callbacks(Executor executor) {
  /** The common pool; where that is told to have no threads, a new one for each task. */
  static final Executor COMMON =
      ForkJoinPool.getCommonPoolParallelism() > 0
          ? ForkJoinPool.commonPool()
          : new CompletableFuture<>().defaultExecutor();

  /** Runs a task once. Throws nothing: whoever waits for the future must not wait forever. */
  void run(Runnable task) {
    AtomicBoolean begun = new AtomicBoolean();
    Runnable once =
        () -> {
          if (!begun.getAndSet(true)) task.run();
        };
    if (isTaken(executor, once) || isTaken(COMMON, once)) return;
    once.run();
  }

  /** Not if it is shut down, full, or cannot have a thread; it may run the task even so. */
  private static boolean isTaken(Executor by, Runnable task) {
    try {
      by.execute(task);
      return true;
    } catch (RuntimeException | Error e) {
      return false;
    }
  }
}

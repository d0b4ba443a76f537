package io.sluice.limiter.async;

import io.sluice.limiter.Decision;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Future of one acquisition, which has a place in a line. Completing or cancelling it from outside
 * gives up the place, but not while the limiter is being asked about it: so a cancelled future has
 * charged nothing.
 */
final class Waiter extends CompletableFuture<Decision> {
  final long cost;
  final long deadlineNanos;
  private final WaiterQueue line;
  private final Callbacks callbacks;

  // Guarded by the line.
  private Runnable alarm = () -> {};
  private Runnable instead = () -> {};
  private boolean leaving;
  private int refusals;

  Waiter(WaiterQueue line, long cost, long deadlineNanos, Callbacks callbacks) {
    this.line = line;
    this.cost = cost;
    this.deadlineNanos = deadlineNanos;
    this.callbacks = callbacks;
  }

  void wakeBy(Runnable newAlarm) {
    alarm = newAlarm;
  }

  void silence() {
    alarm.run();
  }

  /** Ends the waiter by this task, unless the question under way admits it. */
  void leaveBy(Runnable end) {
    leaving = true;
    instead = end;
  }

  boolean isLeaving() {
    return leaving;
  }

  /** Returns the number of its refusals so far, and counts one more. */
  int nextRefusal() {
    return refusals++;
  }

  /** Returns a task that completes the future, to be run without a lock. */
  Runnable end(Decision decision) {
    return ending(() -> super.complete(decision));
  }

  Runnable end(Throwable failure) {
    return ending(() -> super.completeExceptionally(failure));
  }

  Runnable endByWish() {
    return instead;
  }

  /**
   * Returns a task that completes the future on the callbacks' executor. The place is free only
   * after the callbacks have run, so that slow callbacks do not pile up.
   */
  private Runnable ending(Runnable completion) {
    return () ->
        callbacks.run(
            () -> {
              completion.run();
              line.ended();
            });
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return leave(() -> super.cancel(mayInterruptIfRunning)) || isCancelled();
  }

  @Override
  public boolean complete(Decision decision) {
    return leave(() -> super.complete(decision));
  }

  @Override
  public boolean completeExceptionally(Throwable failure) {
    return leave(() -> super.completeExceptionally(failure));
  }

  /**
   * Completes through {@link #complete}. The inherited method would bypass it, and the place would
   * stay taken.
   */
  @Override
  public CompletableFuture<Decision> completeAsync(
      Supplier<? extends Decision> supplier, Executor executor) {
    executor.execute(() -> completeBy(supplier));
    return this;
  }

  private void completeBy(Supplier<? extends Decision> supplier) {
    if (isDone()) return;
    try {
      complete(supplier.get());
    } catch (Throwable e) {
      completeExceptionally(e);
    }
  }

  private boolean leave(Runnable end) {
    boolean left = line.leave(this, ending(end));
    if (!left) return false;
    end.run();
    line.ended();
    return true;
  }
}

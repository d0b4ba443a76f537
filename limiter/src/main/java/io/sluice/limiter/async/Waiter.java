package io.sluice.limiter.async;

import io.sluice.limiter.Decision;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Future of one acquisition of permits, which waits in the queue of its key. Completing or
 * cancelling the future from outside removes it from the queue, but not while the limiter is being
 * asked for its permits: so a cancelled future has charged nothing.
 */
final class Waiter extends CompletableFuture<Decision> {
  final long cost;
  final long deadlineNanos;
  private final WaiterQueue line;
  private final Callbacks callbacks;

  // Fields that change are guarded by the waiter's queue.
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

  /**
   * Registers a task that ends the waiter, unless the limiter's pending answer admits the waiter.
   */
  void leaveBy(Runnable end) {
    leaving = true;
    instead = end;
  }

  boolean isLeaving() {
    return leaving;
  }

  /** Returns how often the limiter has refused the waiter so far, and counts one more refusal. */
  int nextRefusal() {
    return refusals++;
  }

  /**
   * Returns a task that completes the future with this decision. It must run without a lock,
   * because it may run callbacks.
   */
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
   * Returns a task that completes the future on the callbacks' executor. The waiter counts towards
   * the largest number of waiters until its callbacks have run, so that slow callbacks do not pile
   * up.
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
   * Completes the future through {@link #complete}. The inherited method would bypass that, and the
   * waiter would stay in its queue.
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

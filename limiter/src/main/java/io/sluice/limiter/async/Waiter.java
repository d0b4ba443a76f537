package io.sluice.limiter.async;

import io.sluice.limiter.Decision;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * A place in a line, and the future of whoever has it. Who completes or cancels it from outside
 * gives the place up, but not while the limiter is being asked: so a future that is cancelled has
 * charged nothing.
 */
final class Waiter extends CompletableFuture<Decision> {
  final long cost;
  final long deadlineNanos;
  private final Line line;
  private final Callbacks callbacks;

  // Guarded by the line.
  private Runnable alarm = () -> {};
  private Runnable instead = () -> {};
  private boolean leaving;
  private int refusals;

  Waiter(Line line, long cost, long deadlineNanos, Callbacks callbacks) {
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

  /** It is to end like this, unless what is being asked at this moment admits it. */
  void leaveBy(Runnable end) {
    leaving = true;
    instead = end;
  }

  boolean isLeaving() {
    return leaving;
  }

  /** How often it has been refused so far. */
  int nextRefusal() {
    return refusals++;
  }

  /** Its end, to be run when nothing is locked. */
  Runnable end(Decision decision) {
    return ending(() -> super.complete(decision));
  }

  Runnable end(Throwable failure) {
    return ending(() -> super.completeExceptionally(failure));
  }

  Runnable endByWish() {
    return instead;
  }

  /** The place is free when callbacks have run: where they are slow, they must not pile up. */
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

  /** Otherwise what the supplier gives would go past those methods, and leave the place taken. */
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

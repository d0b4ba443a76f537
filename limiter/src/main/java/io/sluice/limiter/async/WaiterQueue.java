package io.sluice.limiter.async;

import io.sluice.limiter.Decision;
import io.sluice.limiter.Decision.Blocked;
import io.sluice.limiter.Decision.NonConforming;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Queue of the waiters for one key, first come, first served. The limiter is asked only for the
 * head, which is the first waiter: at once, and again whenever the head's wait is over. A queue is
 * asking the limiter, sleeping until the head's wait is over, or empty; an empty queue is removed.
 */
final class WaiterQueue {
  /**
   * First backoff, in nanoseconds, of a waiter that the limiter refuses again at an instant at
   * which it should conform. The backoff doubles with each further refusal, up to 64 ms.
   */
  private static final long LEAST_BACKOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private static final int MOST_DOUBLINGS = 6;

  private final String key;
  private final WaitingLimiter lines;

  // Fields that change are guarded by this queue. Futures complete outside its lock, because
  // callbacks may call the queue.
  private final Set<Waiter> waiters = new LinkedHashSet<>();
  private final Set<Waiter> overdue = new LinkedHashSet<>();
  private boolean asking;
  private boolean sleeping;
  private boolean gone;
  private Runnable alarm = () -> {};
  private long dueNanos;
  private long refusedNanos;
  private Decision refusal = new NonConforming(0, 0, 0);

  WaiterQueue(String key, WaitingLimiter lines) {
    this.key = key;
    this.lines = lines;
  }

  /**
   * Adds a waiter, and ends it at once if it cannot be served in time; returns false if the queue
   * was removed.
   */
  boolean join(Waiter waiter) {
    Runnable next;
    synchronized (this) {
      if (gone) return false;
      waiters.add(waiter);
      next = placed(waiter);
    }
    next.run();
    serve();
    return true;
  }

  /**
   * Returns a task that ends a waiter that has just joined, if it is already known that the waiter
   * must end; otherwise a task that does nothing.
   */
  private Runnable placed(Waiter waiter) {
    if (lines.isClosed()) return left(waiter, waiter.end(closed()));
    if (isTooLateFor(waiter)) return left(waiter, waiter.end(refusal()));
    if (waiters.size() == 1) return () -> {};
    try {
      waiter.wakeBy(lines.at(waiter.deadlineNanos, () -> deadlinePassed(waiter)));
      return () -> {};
    } catch (RuntimeException | Error e) { // the timer failed, so the deadline has no alarm
      return left(waiter, waiter.end(e));
    }
  }

  private boolean isTooLateFor(Waiter waiter) {
    return sleeping && dueNanos - waiter.deadlineNanos > 0;
  }

  private static RejectedExecutionException closed() {
    return new RejectedExecutionException("the limiter was closed before a permit was available");
  }

  /**
   * Asks the limiter for the head's permits, and then for those of each next waiter, until a waiter
   * has to wait or an answer is pending.
   */
  private void serve() {
    while (true) {
      Waiter head;
      synchronized (this) {
        if (asking || sleeping || gone) return;
        if (waiters.isEmpty()) {
          gone = true;
          lines.forget(key, this);
          return;
        }
        head = waiters.iterator().next();
        asking = true;
      }
      if (!isAnsweredAtOnce(head)) return;
    }
  }

  /**
   * Asks the limiter for the head's permits. Returns true if the answer comes within this call:
   * then the caller continues with the next waiter, because recursion would be as deep as the queue
   * is long. Otherwise the thread that brings the answer continues with the next waiter.
   */
  private boolean isAnsweredAtOnce(Waiter head) {
    long askedNanos = lines.timer().nanos();
    // The first of two events sets the flag: the answer comes, or this method returns. The second
    // event continues with the next waiter.
    AtomicBoolean isSecond = new AtomicBoolean();
    lines
        .meter(key, head.cost)
        .whenComplete(
            (decision, failure) -> {
              boolean failed = failure != null;
              List<Runnable> ends =
                  failed ? failed(head, failure) : answered(head, askedNanos, decision);
              ends.forEach(Runnable::run);
              if (isSecond.getAndSet(true)) serve();
            });
    return isSecond.getAndSet(true);
  }

  private synchronized List<Runnable> failed(Waiter head, Throwable failure) {
    asking = false;
    Throwable cause = failure;
    if (failure instanceof CompletionException && failure.getCause() != null) {
      cause = failure.getCause();
    }
    List<Runnable> ends = new ArrayList<>();
    ends.add(left(head, head.end(cause)));
    for (Waiter late : List.copyOf(overdue)) ends.add(left(late, late.end(cause)));
    return ends;
  }

  private synchronized List<Runnable> answered(Waiter head, long askedNanos, Decision decision) {
    asking = false;
    if (decision instanceof NonConforming refused) {
      return refused(head, askedNanos, decision, refused.retryAfterMicros());
    }
    if (decision instanceof Blocked blocked) {
      return refused(head, askedNanos, decision, blocked.retryAfterMicros());
    }
    return List.of(left(head, head.end(decision)));
  }

  private List<Runnable> refused(Waiter head, long askedNanos, Decision decision, long waitMicros) {
    if (head.isLeaving()) return List.of(left(head, head.endByWish()));
    long conformsNanos = askedNanos + TimeUnit.MICROSECONDS.toNanos(waitMicros);
    if (conformsNanos - head.deadlineNanos > 0) return List.of(left(head, head.end(decision)));
    refusal = decision;
    refusedNanos = askedNanos;
    long patience = head.deadlineNanos - askedNanos;
    long wait = Math.max(conformsNanos - askedNanos, backoffNanos(head.nextRefusal()));
    try {
      sleepUntil(askedNanos + Math.min(wait, patience));
    } catch (RuntimeException | Error e) { // the timer failed, so the head has no alarm
      sleeping = false;
      return List.of(left(head, head.end(e)));
    }
    List<Runnable> ends = new ArrayList<>();
    for (Waiter late : List.copyOf(overdue)) {
      if (isTooLateFor(late)) ends.add(left(late, late.end(refusal())));
    }
    return ends;
  }

  /**
   * Returns the backoff in nanoseconds before the limiter is asked for a waiter again. After the
   * first refusal it is 0, because the refusal's wait is exact unless other callers are faster or
   * clocks differ.
   */
  private static long backoffNanos(int refusals) {
    return refusals == 0 ? 0 : LEAST_BACKOFF_NANOS << Math.min(refusals - 1, MOST_DOUBLINGS);
  }

  private void sleepUntil(long nanos) {
    dueNanos = nanos;
    sleeping = true;
    alarm = lines.at(nanos, () -> waitIsOver(nanos));
  }

  private void waitIsOver(long nanos) {
    synchronized (this) {
      // With another due time, this alarm belongs to a wait that was cancelled.
      if (dueNanos == nanos) sleeping = false;
    }
    serve();
  }

  private void deadlinePassed(Waiter waiter) {
    Runnable end;
    synchronized (this) {
      if (!waiters.contains(waiter)) return;
      // A waiter past its deadline stays in the queue unless it is too late for it: its turn can
      // still come, if all waiters before it conform or are refused at once.
      boolean tooLate = isTooLateFor(waiter);
      if (!tooLate) overdue.add(waiter);
      end = tooLate ? left(waiter, waiter.end(refusal())) : () -> {};
    }
    end.run();
  }

  /**
   * Returns the refusal of a waiter for which the limiter was never asked: the head's last refusal,
   * with its waits counted from now.
   */
  private Decision refusal() {
    long now = lines.timer().nanos();
    long wait = Math.max(0, dueNanos - now + 999) / 1_000;
    long reset = refusal.resetAfterMicros() - TimeUnit.NANOSECONDS.toMicros(now - refusedNanos);
    reset = Math.max(wait, reset);
    return refusal instanceof Blocked
        ? new Blocked(wait, reset)
        : new NonConforming(refusal.remaining(), wait, reset);
  }

  private Runnable left(Waiter waiter, Runnable end) {
    waiters.remove(waiter);
    overdue.remove(waiter);
    waiter.silence();
    return end;
  }

  /** Counts one waiter less, after the waiter's future is complete and its callbacks have run. */
  void ended() {
    lines.ended();
  }

  /**
   * Removes a waiter from the queue, unless the limiter is being asked for its permits.
   *
   * @param end task that ends the waiter later, if the limiter is being asked for its permits now,
   *     and refuses them
   * @return whether the waiter was removed
   */
  boolean leave(Waiter waiter, Runnable end) {
    synchronized (this) {
      if (!waiters.contains(waiter)) return false;
      boolean isHead = waiters.iterator().next() == waiter;
      if (isHead && asking) {
        waiter.leaveBy(end);
        return false;
      }
      left(waiter, end);
      if (isHead) wake();
    }
    serve();
    return true;
  }

  private void wake() {
    alarm.run();
    sleeping = false;
  }

  /**
   * Ends all waiters. A waiter for which the limiter is being asked ends only if the limiter
   * refuses its permits.
   */
  void close() {
    List<Runnable> ends = new ArrayList<>();
    synchronized (this) {
      for (Waiter each : List.copyOf(waiters)) {
        boolean isAsked = asking && each == waiters.iterator().next();
        if (isAsked) each.leaveBy(each.end(closed()));
        else ends.add(left(each, each.end(closed())));
      }
      wake();
    }
    ends.forEach(Runnable::run);
    serve();
  }
}

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
 * Queue of the waiters for one key, first come, first served. Only the head is put to the limiter:
 * at once, and again whenever its wait is over. A line is asking, sleeping, or empty; an empty line
 * is removed.
 */
final class WaiterQueue {
  /**
   * First backoff of a waiter that is refused again at an instant at which it should conform. It
   * doubles with each further refusal, up to 64 ms.
   */
  private static final long LEAST_BACKOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private static final int MOST_DOUBLINGS = 6;

  private final String key;
  private final WaiterQueues lines;

  // All guarded by this line. Futures complete outside its lock, because callbacks may call it.
  private final Set<Waiter> waiters = new LinkedHashSet<>();
  private final Set<Waiter> overdue = new LinkedHashSet<>();
  private boolean asking;
  private boolean sleeping;
  private boolean gone;
  private Runnable alarm = () -> {};
  private long dueNanos;
  private long refusedNanos;
  private Decision refusal = new NonConforming(0, 0, 0);

  WaiterQueue(String key, WaiterQueues lines) {
    this.key = key;
    this.lines = lines;
  }

  /** Adds a waiter, or ends it at once; returns false if the line was removed. */
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
   * Returns a task that ends a waiter that has just joined, if its end is known; else an empty
   * task.
   */
  private Runnable placed(Waiter waiter) {
    if (lines.isClosed()) return left(waiter, waiter.end(closed()));
    if (isTooLateFor(waiter)) return left(waiter, waiter.end(refusal()));
    if (waiters.size() == 1) return () -> {};
    try {
      waiter.wakeBy(lines.at(waiter.deadlineNanos, () -> deadlinePassed(waiter)));
      return () -> {};
    } catch (RuntimeException | Error e) { // the timer's: the deadline has no alarm
      return left(waiter, waiter.end(e));
    }
  }

  private boolean isTooLateFor(Waiter waiter) {
    return sleeping && dueNanos - waiter.deadlineNanos > 0;
  }

  private static RejectedExecutionException closed() {
    return new RejectedExecutionException("the limiter was closed before a permit was available");
  }

  /** Puts the head to the limiter, and then the next one, until one has to wait. */
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
   * Puts the head to the limiter. Returns true if the answer comes within this call: then the
   * caller continues with the next waiter, because recursion would be as deep as the line is long.
   * Otherwise the thread that brings the answer continues.
   */
  private boolean isAnsweredAtOnce(Waiter head) {
    long askedNanos = lines.timer().nanos();
    AtomicBoolean isSecond = new AtomicBoolean(); // set by the first of return and answer
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
    } catch (RuntimeException | Error e) { // the timer's: the head has no alarm
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
   * Returns no backoff for the first refusal, whose wait is exact unless other callers are faster
   * or clocks differ.
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
      if (dueNanos == nanos) sleeping = false; // else the alarm of a cancelled wait
    }
    serve();
  }

  private void deadlinePassed(Waiter waiter) {
    Runnable end;
    synchronized (this) {
      if (!waiters.contains(waiter)) return;
      // Otherwise its turn can still come, if all before it conform or are refused at once.
      boolean tooLate = isTooLateFor(waiter);
      if (!tooLate) overdue.add(waiter);
      end = tooLate ? left(waiter, waiter.end(refusal())) : () -> {};
    }
    end.run();
  }

  /**
   * Returns the refusal for a waiter that the limiter was never asked about: the head's refusal,
   * with its waits as of now.
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

  /** Frees the place of a waiter whose future is complete. */
  void ended() {
    lines.ended();
  }

  /**
   * Removes a waiter from the line.
   *
   * @param end ends the waiter if it cannot leave now, because the limiter is being asked, and is
   *     then refused
   * @return whether it has left
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

  /** Ends all waiters; the one that the limiter is being asked about ends only if it is refused. */
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

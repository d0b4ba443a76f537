package io.sluice.limiter.async;

/** What a {@link WaitingLimiter} knows of time. Safe for use by many threads. */
public interface Timer {
  /** Nanoseconds since some instant, which never go back: only differences mean anything. */
  long nanos();

  /**
   * Has a task run once, when this delay has passed and not before; also without a delay, never
   * within this call. What this throws ends the acquisition that is to be woken, and only that:
   * nothing is charged for it.
   *
   * @return runs to cancel the task, if it has not begun
   */
  Runnable after(long delayNanos, Runnable task);
}

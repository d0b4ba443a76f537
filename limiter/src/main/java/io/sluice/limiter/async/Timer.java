package io.sluice.limiter.async;

/** Clock and scheduler of a {@link WaitingLimiter}. Implementations are thread-safe. */
public interface Timer {
  /**
   * Returns nanoseconds since an arbitrary instant, which never go back: only differences have a
   * meaning.
   */
  long nanos();

  /**
   * Schedules a task to run once, after this delay and not before; never within this call, even if
   * the delay is 0. An exception from this method ends only the acquisition that the task would
   * wake, which then charges nothing.
   *
   * @return cancels the task, if it has not begun
   */
  Runnable after(long delayNanos, Runnable task);
}

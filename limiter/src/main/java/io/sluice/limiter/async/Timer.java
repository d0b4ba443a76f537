package io.sluice.limiter.async;

/** Clock and scheduler of a {@link WaitingLimiter}. Implementations are thread-safe. */
public interface Timer {
  /**
   * Returns the present time in nanoseconds since an arbitrary instant. The time never goes back;
   * only differences between two results have a meaning.
   */
  long nanos();

  /**
   * Schedules a task to run once, after this delay and not before; the task never runs within this
   * call, even if the delay is 0. An exception from this method ends only the acquisition of
   * permits that the task would wake, which then charges nothing.
   *
   * @return a task that cancels the scheduled task, if that has not begun
   */
  Runnable after(long delayNanos, Runnable task);
}

package io.sluice.rules.revision;

/**
 * Pause of a limit with a queue, for all its events or some: while it lasts, they wait in line.
 *
 * @param limit name of the limit, or {@link LimitRevision#EVERY_LIMIT} if all limits are paused
 * @param scope events that are paused
 * @param untilMs first instant after the pause, epoch milliseconds; {@link LimitRevision#FOR_GOOD}
 *     if its end is not known
 */
public record Pause(String limit, Scope scope, long untilMs) {
  /** Returns whether the end of the pause is known. */
  public boolean hasEnd() {
    return untilMs != LimitRevision.FOR_GOOD;
  }
}

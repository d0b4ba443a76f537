package io.sluice.topology.revision;

import io.sluice.limiter.Schedule;
import io.sluice.topology.limit.Limit;

/**
 * What holds for some events since so long that no bucket remembers anything of before, and for
 * good: changes need not be known. Nearly all that is ever asked for. Immutable.
 *
 * @param over the timeline of the limit as a whole that it is made of
 * @param limit without changes; equal ones are one object
 * @param saysVerdict whether the treatment is the limit's own
 */
record Settled(
    Timeline over, long fromMs, Limit limit, Ruling.Treatment treatment, boolean saysVerdict) {
  /** Nothing is settled. */
  static final Settled NOT = of(Timeline.NOTHING, Timeline.NOTHING, Long.MAX_VALUE);

  /** A counter remembers the period before this one. */
  private static final int PERIODS = 2;

  /** That of the last segment of a timeline. */
  static Settled of(Timeline over, Timeline timeline) {
    long since = timeline.lastCut();
    if (since == Long.MIN_VALUE) return of(over, timeline, since);
    Schedule schedule = timeline.judged().last().rule().schedule();
    if (schedule.isEmpty()) return of(over, timeline, since);
    long usedMicros = NumbersChange.longestUseMicros(timeline.changes());
    long memoryMs = Math.max(schedule.longestMemoryMicros(), usedMicros) / 1_000 + 1;
    return of(over, timeline, since + PERIODS * memoryMs);
  }

  private static Settled of(Timeline over, Timeline timeline, long fromMs) {
    InForce last = timeline.at(Long.MAX_VALUE);
    return new Settled(over, fromMs, last.limit(), last.ruling().treatment(), last.saysVerdict());
  }

  boolean isSo(long ms) {
    return fromMs <= ms;
  }
}

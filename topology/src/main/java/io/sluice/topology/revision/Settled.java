package io.sluice.topology.revision;

import io.sluice.limiter.Schedule;

/**
 * What holds for some events since so long that no bucket remembers anything of before, and for
 * good: changes need not be known. Nearly all that is ever asked for. Immutable.
 *
 * @param over the timeline of the limit as a whole that it is made of
 */
record Settled(Timeline over, long fromMs, Holding holding) {
  /** Nothing is settled. */
  static final Settled NOT = new Settled(Timeline.NOTHING, Long.MAX_VALUE, Holding.NOTHING);

  /** A counter remembers the period before this one. */
  private static final int PERIODS = 2;

  /** That of the last segment of a timeline. */
  static Settled of(Timeline over, Timeline timeline, Shared shared) {
    Holding last = shared.same(Holding.of(timeline.at(Long.MAX_VALUE), timeline.changes()));
    long since = timeline.lastCut();
    if (since == Long.MIN_VALUE) return new Settled(over, since, last);
    Schedule schedule = timeline.judged().last().rule().schedule();
    if (schedule.isEmpty()) return new Settled(over, since, last);
    long usedMicros = NumbersChange.longestUseMicros(timeline.changes());
    long memoryMs = Math.max(schedule.longestMemoryMicros(), usedMicros) / 1_000 + 1;
    return new Settled(over, since + PERIODS * memoryMs, last);
  }

  /** What is settled at an instant; {@link Holding#NOTHING} if nothing is yet. */
  Holding at(long ms) {
    return fromMs <= ms ? holding : Holding.NOTHING;
  }
}

package io.sluice.rules.revision;

import io.sluice.limiter.Schedule;

/**
 * Stable treatment of some events: it has held for so long that no bucket remembers anything before
 * it, and no change is planned. Nearly all lookups find one. Immutable.
 *
 * @param over timeline of the limit as a whole on which it is based
 * @param fromMs instant from which on the treatment is stable, in epoch milliseconds
 */
record StableTreatment(Timeline over, long fromMs, SharedTreatment shared) {
  /**
   * Result for an event to which revisions of several scopes apply, for which no stable treatment
   * is computed; also the value of a cache that is empty.
   */
  static final StableTreatment NOT =
      new StableTreatment(Timeline.NOTHING, Long.MAX_VALUE, SharedTreatment.NOTHING);

  /**
   * Number of periods that a bucket may remember: a sliding window counter also remembers the
   * period before the current one.
   */
  private static final int PERIODS = 2;

  /** Returns the treatment after the last change in a timeline, and from when on it is stable. */
  static StableTreatment of(Timeline over, Timeline timeline, TreatmentInterner shared) {
    SharedTreatment last =
        shared.same(SharedTreatment.of(timeline.at(Long.MAX_VALUE), timeline.changes()));
    long since = timeline.lastCut();
    if (since == Long.MIN_VALUE) return new StableTreatment(over, since, last);
    Schedule schedule = timeline.judged().last().rule().schedule();
    if (schedule.isEmpty()) return new StableTreatment(over, since, last);
    long usedMicros = NumbersChange.longestUseMicros(timeline.changes());
    long memoryMs = Math.max(schedule.longestMemoryMicros(), usedMicros) / 1_000 + 1;
    return new StableTreatment(over, since + PERIODS * memoryMs, last);
  }

  /**
   * Returns the treatment at an instant in epoch milliseconds; {@link SharedTreatment#NOTHING} if
   * it is not stable then.
   */
  SharedTreatment at(long ms) {
    return fromMs <= ms ? shared : SharedTreatment.NOTHING;
  }
}

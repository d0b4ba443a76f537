package io.sluice.rules.revision;

import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Matching;
import java.util.List;

/**
 * Treatment of some events by a limit after its last change. Overrides with the same treatment
 * share one object, so that it is likely to be in a cache of the processor.
 *
 * @param alone result of a lookup for an event that no other limit matches
 * @param saysVerdict whether revisions of this limit, and not of all limits, give the treatment
 */
record SharedTreatment(
    Limit limit, Matching alone, TreatedLimit.Treatment treatment, boolean saysVerdict) {
  /** Stands for the result of a lookup that finds no stable treatment; compared by identity. */
  static final SharedTreatment NOTHING = of(InForce.NOTHING, List.of());

  /**
   * Creates the treatment by the settings after the last change.
   *
   * @param numbers quotas, waits and blocks of the limit, since its beginning
   */
  static SharedTreatment of(InForce inForce, List<NumbersChange> numbers) {
    Limit limit = JudgedLimits.settled(inForce.limit(), numbers);
    return new SharedTreatment(
        limit, Matching.alone(limit), inForce.treatedLimit().treatment(), inForce.saysVerdict());
  }

  @SuppressWarnings("ReferenceEquality") // one instance stands for no treatment
  boolean isNothing() {
    return this == NOTHING;
  }

  /**
   * Returns whether events are metered by the limit, unless revisions for all limits say otherwise.
   */
  boolean isMetered() {
    return !isNothing() && treatment == TreatedLimit.Treatment.METER;
  }
}

package io.sluice.rules.revision;

import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Matching;
import java.util.List;

/**
 * Treatment of some events by a limit after its last change. Overrides with the same treatment
 * share one object, so that it is likely to be in a cache of the processor.
 *
 * @param alone result of a lookup for an event that no other limit matches
 * @param saysVerdict whether the limit's own settings give the treatment
 */
record SharedTreatment(
    Limit limit, Matching alone, TreatedLimit.Treatment treatment, boolean saysVerdict) {
  /** Result of a lookup that finds no stable treatment; compared by identity. */
  static final SharedTreatment NOTHING = of(InForce.NOTHING, List.of());

  /**
   * @param numbers quotas and times of the limit, since its beginning
   */
  static SharedTreatment of(InForce inForce, List<NumbersChange> numbers) {
    Limit limit = JudgedLimits.settled(inForce.limit(), numbers);
    return new SharedTreatment(
        limit, Matching.alone(limit), inForce.treatedLimit().treatment(), inForce.saysVerdict());
  }

  @SuppressWarnings("ReferenceEquality") // there is one instance
  boolean isNothing() {
    return this == NOTHING;
  }

  /**
   * Returns whether the events are metered as usual, unless revisions of all limits say otherwise.
   */
  boolean isMetered() {
    return !isNothing() && treatment == TreatedLimit.Treatment.METER;
  }
}

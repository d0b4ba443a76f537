package io.sluice.topology.revision;

import io.sluice.topology.limit.Limit;
import io.sluice.topology.limit.Matching;
import java.util.List;

/**
 * What a limit is for some events, without changes that are over. Many overrides come to the same,
 * which is one object: so it is near when the next event asks.
 *
 * @param alone what an event is metered by that no other limit matches
 * @param saysVerdict whether the treatment is the limit's own
 */
record Holding(Limit limit, Matching alone, Ruling.Treatment treatment, boolean saysVerdict) {
  /** Stands where nothing is settled. */
  static final Holding NOTHING = of(InForce.NOTHING, List.of());

  /**
   * @param numbers of the limit, of all the time
   */
  static Holding of(InForce inForce, List<NumbersChange> numbers) {
    Limit limit = JudgedLimits.settled(inForce.limit(), numbers);
    return new Holding(
        limit, Matching.alone(limit), inForce.ruling().treatment(), inForce.saysVerdict());
  }

  @SuppressWarnings("ReferenceEquality") // there is but one
  boolean isNothing() {
    return this == NOTHING;
  }

  /** Whether it is metered as usual, unless revisions of all limits say otherwise. */
  boolean isMetered() {
    return !isNothing() && treatment == Ruling.Treatment.METER;
  }
}

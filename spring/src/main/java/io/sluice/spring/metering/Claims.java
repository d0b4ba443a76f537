package io.sluice.spring.metering;

import io.sluice.limiter.Rule;
import io.sluice.spring.method.Ask;
import io.sluice.topology.limit.Limit;
import io.sluice.topology.limit.Matching;
import io.sluice.topology.revision.LimitsInForce;
import java.util.ArrayList;
import java.util.List;

/**
 * What a call is metered by, of all limits at one instant.
 *
 * @param metered without the limits that a revision exempts the call of, or has taken away
 * @param denying the limits by which a revision denies it
 */
record Claims(List<Claim> metered, List<Claim> denying) {
  static Claims of(List<Ask> asks, LimitsInForce limits, long ms) {
    List<Claim> metered = new ArrayList<>(asks.size());
    List<Claim> denying = new ArrayList<>(0);
    for (Ask ask : asks) {
      Limit written = ask.limit().limit();
      if (!ask.limit().isConfigured()) {
        metered.add(Claim.of(ask, written));
        continue;
      }
      Matching found = limits.matching(written.name(), ask.event(), ms);
      if (found.settled().isEmpty()) metered.add(Claim.of(ask, found.first()));
      else if (found.settled().get().isDenied()) denying.add(Claim.of(ask, enforced(written)));
    }
    return new Claims(metered, denying);
  }

  /** Who is denied is refused, even if the limit only watches. */
  private static Limit enforced(Limit limit) {
    Rule rule = limit.rule();
    return limit.with(Rule.policing(rule.name(), rule.quota(), rule.algorithm()));
  }
}

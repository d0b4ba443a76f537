package io.sluice.spring.metering;

import io.sluice.limiter.Rule;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Matching;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.spring.method.Ask;
import java.util.ArrayList;
import java.util.List;

/**
 * All claims of a call at one instant.
 *
 * @param metered limits that meter the call; without those that a revision has disabled, or exempts
 *     the call from
 * @param denying limits for which a revision denies the call
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

  /** Returns the limit in enforced mode: a denied call is refused even in shadow mode. */
  private static Limit enforced(Limit limit) {
    Rule rule = limit.rule();
    return limit.with(Rule.policing(rule.name(), rule.quota(), rule.algorithm()));
  }
}

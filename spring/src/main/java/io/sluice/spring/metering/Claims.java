package io.sluice.spring.metering;

import io.sluice.limiter.Rule;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Matching;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.spring.method.Ask;
import java.util.ArrayList;
import java.util.List;

/**
 * Limits of a call at one instant, after revisions (dated changes of limits) are applied.
 *
 * @param metered limits that meter the call; without limits that a revision has disabled, or from
 *     which a revision exempts the call
 * @param denying limits for which a revision denies the call, or whose key the call lacks with
 *     {@code key.missing=reject}
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
      else if (isRefusal(found.settled().get())) denying.add(Claim.of(ask, enforced(written)));
    }
    return new Claims(metered, denying);
  }

  private static boolean isRefusal(Verdict settled) {
    return settled.kind() == Verdict.Kind.REJECTED;
  }

  /**
   * Returns the limit without shadow mode: a call that a revision (a dated change of a limit)
   * denies is refused even by a limit in shadow mode.
   */
  private static Limit enforced(Limit limit) {
    Rule rule = limit.rule();
    return limit.with(Rule.policing(rule.name(), rule.quota(), rule.algorithm()));
  }
}

package io.sluice.spring.metering;

import io.sluice.limiter.Rule;
import java.util.List;

/**
 * Rules by which a call is judged at an instant, for comparison. A claim's rule contains all its
 * scheduled changes, so the rules at that instant are kept separately.
 *
 * @param begunAnewMicros time of each limit's last reset
 */
record ComparableRules(Claims claims, List<Rule> inForce, List<Long> begunAnewMicros) {
  static ComparableRules of(Claims claims, long micros) {
    List<Rule> rules = claims.metered().stream().map(Claim::rule).toList();
    return new ComparableRules(
        claims,
        rules.stream().map(rule -> rule.at(micros)).toList(),
        rules.stream().map(rule -> rule.schedule().begunAnewAt(micros)).toList());
  }
}

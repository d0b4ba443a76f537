package io.sluice.spring.metering;

import io.sluice.limiter.Rule;
import java.util.List;

/**
 * What a call is judged by at an instant. A claim has the numbers of all the time, so those that
 * hold are beside it.
 *
 * @param begunAnewMicros when each limit's counts began anew for the last time
 */
record Terms(Claims claims, List<Rule> inForce, List<Long> begunAnewMicros) {
  static Terms of(Claims claims, long micros) {
    List<Rule> rules = claims.metered().stream().map(Claim::rule).toList();
    return new Terms(
        claims,
        rules.stream().map(rule -> rule.at(micros)).toList(),
        rules.stream().map(rule -> rule.schedule().begunAnewAt(micros)).toList());
  }
}

package io.sluice.topology;

import io.sluice.limiter.Claim;
import io.sluice.limiter.Rule;
import java.util.ArrayList;
import java.util.List;

/** A named limit: which events it is for, what it counts them by, and what to do with the rest. */
record Limit(
    Rule rule,
    Match match,
    LimitKey key,
    Backend backend,
    Exceeded exceeded,
    RedisUnavailable redisUnavailable) {

  /** What an event that matches asks of this limit. */
  Claim claim(EventView event) {
    return new Claim(rule, key.of(event), key.tagOf(event));
  }

  /** What an event asks of each of these limits, which match it, in their order. */
  static List<Claim> claims(List<Limit> limits, EventView event) {
    List<Claim> claims = new ArrayList<>(limits.size());
    for (Limit limit : limits) claims.add(limit.claim(event));
    return claims;
  }

  /** Whether the state store counts for this limit while Redis is down. */
  boolean fallsBack() {
    return backend == Backend.REDIS && redisUnavailable == RedisUnavailable.STATE_STORE;
  }

  String name() {
    return rule.name();
  }
}

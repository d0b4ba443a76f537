package io.sluice.topology;

import io.sluice.limiter.Bucket;
import io.sluice.limiter.Rule;

/** A named limit: which events it is for, what it counts them by, and what to do with the rest. */
record Limit(
    Rule rule,
    Match match,
    LimitKey key,
    Backend backend,
    Exceeded exceeded,
    RedisUnavailable redisUnavailable) {

  /** What an event that matches asks of this limit. */
  Bucket bucket(EventView event) {
    return new Bucket(rule, key.of(event), key.tagOf(event));
  }

  String name() {
    return rule.name();
  }
}

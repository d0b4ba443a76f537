package io.sluice.rules.revision;

import io.sluice.limiter.Rule;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.Backend;
import io.sluice.rules.limit.Limit.KeyMissing;
import io.sluice.rules.limit.LimitKey;
import io.sluice.rules.limit.Match;

/**
 * Properties of a limit that decide which events it meters and how they wait. Quotas and waits are
 * left out, since revisions may give a limit thousands of them.
 */
record LimitKind(
    String name,
    Match match,
    LimitKey key,
    Backend backend,
    boolean shapes,
    boolean shadow,
    Class<?> exceeded,
    boolean fallsBack,
    KeyMissing keyMissing,
    boolean hasHours) {
  static LimitKind of(Limit limit) {
    Rule rule = limit.rule();
    return new LimitKind(
        limit.name(),
        limit.match(),
        limit.key(),
        limit.backend(),
        rule.shapes(),
        rule.shadow(),
        limit.exceeded().getClass(),
        limit.fallsBack(),
        limit.keyMissing(),
        !limit.hours().areAlways());
  }
}

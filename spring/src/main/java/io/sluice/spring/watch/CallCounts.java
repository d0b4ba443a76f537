package io.sluice.spring.watch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.spring.live.FollowedLimits;
import io.sluice.spring.metering.Claim;
import io.sluice.spring.metering.Metered;
import io.sluice.spring.metering.MeteredListener;
import io.sluice.spring.metering.RedisGate;

/**
 * Counts calls of limited methods in Micrometer, under the metric names that a Sluice application
 * uses for events: {@code sluice.events} by the deciding limit, and {@code sluice.shadow.events}
 * for limits in shadow mode.
 */
public final class CallCounts implements MeteredListener {
  private final MeterRegistry registry;

  public CallCounts(MeterRegistry registry, RedisGate redis, FollowedLimits limits) {
    this.registry = registry;
    Gauge.builder("sluice.limits.current", limits, each -> each.isCurrent() ? 1 : 0)
        .description(
            "1 while the topic of revisions is read or there is none, 0 while it cannot be")
        .register(registry);
    Gauge.builder("sluice.redis.available", redis, gate -> gate.isOpen() ? 1 : 0)
        .description("1 while Redis is available, 0 while it is not")
        .register(registry);
  }

  @Override
  public void metered(Metered metered) {
    String decided = metered.decided() ? metered.deciding().name() : "";
    count("sluice.events", decided, metered.admitted());
    for (Claim claim : metered.claims()) {
      if (claim.isEnforced()) continue;
      count("sluice.shadow.events", claim.name(), metered.conforms(claim.limit()));
    }
  }

  private void count(String name, String limit, boolean allowed) {
    Counter.builder(name)
        .tag("limit", limit)
        .tag("verdict", allowed ? "allowed" : "rejected")
        .register(registry)
        .increment();
  }
}

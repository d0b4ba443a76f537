package io.sluice.topology.metering;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.RowSweeper;
import io.sluice.limiter.Rule;
import io.sluice.rules.revision.CurrentLimits;
import java.util.Optional;

/**
 * Rules by which the sweep of idle rows decides whether a row is still needed: the rules of all
 * limits that are known at the time of the call.
 */
record KnownRules(CurrentLimits limits) implements RowSweeper.Rules {
  @Override
  public Optional<Rule> of(String name, Algorithm algorithm, String key) {
    return limits.known().rule(name, algorithm, key);
  }

  @Override
  public Optional<Rule> ofMost(String name, Algorithm algorithm) {
    return limits.known().rule(name, algorithm);
  }
}

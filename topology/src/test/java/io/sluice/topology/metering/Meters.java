package io.sluice.topology.metering;

import io.sluice.limiter.rows.Conditions;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.delay.DelayPath;
import io.sluice.topology.delay.Retries;
import io.sluice.topology.delay.ThreadBudget;
import io.sluice.topology.intake.Arrivals;
import io.sluice.topology.intake.DeadLetters;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.InputLag;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.redis.RedisBreaker;
import java.util.List;

/** Factory of the meter's node with all that it needs, for tests of other parts. */
public final class Meters {
  private Meters() {}

  public static MeterProcessor.Node node(
      SluiceConfig config,
      EventOpener opener,
      RedisBreaker breaker,
      Instruments instruments,
      DelayPath path,
      DeadLetters deadLetters) {
    Arrivals arrivals = Arrivals.of(config);
    CurrentLimits limits = CurrentLimits.of(config.limitsConfig());
    Retries.Parts retries =
        new Retries.Parts(
            path,
            limits,
            arrivals,
            opener,
            breaker,
            InputLag.none(),
            deadLetters,
            List::of,
            new ThreadBudget.Threads());
    return new MeterProcessor.Node(
        limits,
        config.limits().keepState(),
        config::usesRedis,
        arrivals,
        opener,
        breaker,
        instruments,
        path,
        deadLetters,
        config.keepsStateInMemory(),
        Conditions.ALONE,
        retries,
        new ThreadBudget.Threads());
  }
}

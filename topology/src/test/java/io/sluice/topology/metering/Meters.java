package io.sluice.topology.metering;

import io.sluice.limiter.rows.Conditions;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.delay.DelayPath;
import io.sluice.topology.delay.Retries;
import io.sluice.topology.delay.ThreadBudget;
import io.sluice.topology.intake.DeadLetters;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.HomePartitioner;
import io.sluice.topology.intake.InputLag;
import io.sluice.topology.intake.MeteringServices;
import io.sluice.topology.intake.NodeContext;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.queue.EventQueue;
import io.sluice.topology.redis.RedisBreaker;
import java.time.InstantSource;

/** Factory of the meter's node with all that it needs, for tests of other parts. */
public final class Meters {
  private Meters() {}

  public static MeterProcessor.Node node(DelayPath path, DeadLetters deadLetters) {
    Retries.Parts retries =
        new Retries.Parts(path, InputLag.none(), deadLetters, new ThreadBudget.Threads());
    EventQueue.Parts queue = new EventQueue.Parts(retries, new ThreadBudget.Threads());
    return new MeterProcessor.Node(
        retries,
        queue,
        Conditions.ALONE,
        new ThreadBudget.Threads(),
        NodeContext.Settings.of(path.services(), path.prefix()));
  }

  /** Returns the services of one partition, without Redis. */
  public static MeteringServices services(SluiceConfig config) {
    Instruments instruments = new Instruments(config.limits());
    return new MeteringServices(
        config,
        CurrentLimits.of(config.limitsConfig()),
        HomePartitioner.of(config, 1),
        new EventOpener(config.eventDecoder(), InstantSource.system(), config.timeMaxAhead()),
        RedisBreaker.of("app", () -> null, instruments.redis()),
        instruments);
  }
}

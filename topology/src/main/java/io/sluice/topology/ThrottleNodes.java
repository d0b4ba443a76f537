package io.sluice.topology;

import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.rows.Conditions;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.delay.DelayPath;
import io.sluice.topology.delay.ThreadBudget;
import io.sluice.topology.intake.Arrivals;
import io.sluice.topology.intake.DeadLetters;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.HomePartitioner;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.intake.RecordSizes;
import io.sluice.topology.limit.Limit;
import io.sluice.topology.metering.MeterProcessor;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.redis.RedisBreaker;
import io.sluice.topology.revision.CurrentLimits;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;

/**
 * The nodes of the topology that do something, not yet put together.
 *
 * @param opener of what the input topics bring
 * @param home where an event is metered
 * @param hops whether an event may have to be brought there
 * @param intake forwards to {@link Nodes#AT_HOME} if there are hops, else to {@link Nodes#TO_METER}
 */
public record ThrottleNodes(
    EventOpener opener,
    HomePartitioner home,
    boolean hops,
    ProcessorSupplier<byte[], EventRecord, byte[], EventRecord> intake,
    ProcessorSupplier<byte[], EventRecord, byte[], EventRecord> shaper,
    ProcessorSupplier<byte[], EventRecord, byte[], EventRecord> meter) {

  /**
   * Makes them.
   *
   * @param redis meters the limits that count in Redis; asked for when the first event needs it
   */
  public static ThrottleNodes of(
      SluiceConfig config,
      CurrentLimits limits,
      int inputPartitions,
      EventOpener opener,
      Supplier<RedisMeter> redis) {
    Instruments instruments = new Instruments(config.limits());
    RedisBreaker breaker = RedisBreaker.of(config.applicationId(), redis, instruments.redis());
    return of(config, limits, inputPartitions, opener, breaker, instruments, RecordSizes.any());
  }

  /**
   * The same.
   *
   * @param sizes of records that can be written
   */
  static ThrottleNodes of(
      SluiceConfig config,
      CurrentLimits limits,
      int inputPartitions,
      EventOpener opener,
      RedisBreaker breaker,
      Instruments instruments,
      RecordSizes sizes) {
    Arrivals arrivals = Arrivals.of(config);
    DeadLetters deadLetters =
        new DeadLetters(instruments::countDeadLetter, sizes, config.topics().deadLetter());
    HomePartitioner home = HomePartitioner.of(config, inputPartitions);
    DelayPath path = DelayPath.of(config, limits, home, opener::wallMs, instruments.delayed());
    boolean hops = config.limits().repartition();
    Supplier<List<Limit>> homed = () -> hops ? limits.known().ever().homed() : List.of();
    BooleanSupplier paced = paced(config, limits);
    String onward = hops ? Nodes.AT_HOME : Nodes.TO_METER;
    MeterProcessor.Node meter =
        new MeterProcessor.Node(
            limits,
            config.limits().keepState(),
            paced,
            arrivals,
            opener,
            breaker,
            instruments,
            path,
            deadLetters,
            config.keepsStateInMemory(),
            new Conditions(
                inputPartitions,
                !config.isExactlyOnce(),
                Conditions.ALONE.earliest(), // until a task has a clock
                instruments::filterGrew),
            new ThreadBudget.Threads());
    return new ThrottleNodes(
        opener,
        home,
        hops,
        EventOpener.intake(homed, paced, deadLetters, home, onward),
        path.shaper(limits, arrivals, opener, breaker, deadLetters),
        meter);
  }

  /**
   * Whether only so much is remembered of what is processed and not committed. At least once it may
   * be, since a limit that admits once may be added at any time.
   */
  private static BooleanSupplier paced(SluiceConfig config, CurrentLimits limits) {
    return config.isExactlyOnce() ? () -> limits.known().ever().useRedis() : () -> true;
  }
}

package io.sluice.topology.intake;

import io.sluice.rules.limit.Limit;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.redis.RedisBreaker;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Components that the nodes of a topology share with each other and with the prefetching of answers
 * from Redis.
 *
 * @param home chooses the partition on which an event is metered
 * @param opener decodes the records of the input topics
 */
public record MeteringServices(
    SluiceConfig config,
    CurrentLimits limits,
    HomePartitioner home,
    EventOpener opener,
    RedisBreaker breaker,
    Instruments instruments) {
  public Arrivals arrivals() {
    return Arrivals.of(config);
  }

  /** Returns whether some events may need a repartition topic to reach their home partition. */
  public boolean hops() {
    return config.limits().repartition();
  }

  /** Returns the limits whose events must be metered on their home partition, at any time. */
  public Supplier<List<Limit>> homed() {
    boolean hops = hops();
    return () -> hops ? limits.known().ever().homed() : List.of();
  }

  /**
   * Returns whether each task bounds the number of records that it has processed but not committed.
   * With exactly-once this holds if any limit is ever in Redis. With at-least-once it always holds,
   * since a limit that admits each key once may be added at any time.
   */
  public BooleanSupplier paced() {
    return config.isExactlyOnce() ? () -> limits.known().ever().useRedis() : () -> true;
  }
}

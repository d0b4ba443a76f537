package io.sluice.topology;

import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.rows.Conditions;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.delay.DelayPath;
import io.sluice.topology.delay.Retries;
import io.sluice.topology.delay.ThreadBudget;
import io.sluice.topology.intake.Arrivals;
import io.sluice.topology.intake.DeadLetters;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.HomePartitioner;
import io.sluice.topology.intake.InputLag;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.intake.RecordSizes;
import io.sluice.topology.metering.MeterProcessor;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.redis.RedisBreaker;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;

/**
 * Processing nodes of the topology, before they are connected.
 *
 * @param opener decodes the records of the input topics
 * @param home chooses the partition on which an event is metered
 * @param hops whether events may need a repartition topic to reach their home partition
 * @param intake forwards to {@link Nodes#AT_HOME} if there are hops, else to {@link Nodes#TO_METER}
 * @param prefix of the names of nodes, stores and topics; empty if the application has one stream
 */
public record ThrottleNodes(
    EventOpener opener,
    HomePartitioner home,
    boolean hops,
    String prefix,
    ProcessorSupplier<byte[], EventRecord, byte[], EventRecord> intake,
    ProcessorSupplier<byte[], EventRecord, byte[], EventRecord> shaper,
    ProcessorSupplier<byte[], EventRecord, byte[], EventRecord> meter) {
  private static final Serde<byte[]> KEY = Serdes.ByteArray();
  private static final Serde<EventRecord> VALUE = EventRecord.serde();

  /**
   * Creates the nodes with metrics of their own.
   *
   * @param redis supplies the meter for Redis limits; called when the first event needs it
   */
  public static ThrottleNodes of(
      SluiceConfig config,
      CurrentLimits limits,
      int inputPartitions,
      EventOpener opener,
      Supplier<RedisMeter> redis) {
    Instruments instruments = new Instruments(config.limits());
    RedisBreaker breaker = RedisBreaker.of(config.applicationId(), redis, instruments.redis());
    return of(
        config,
        limits,
        inputPartitions,
        opener,
        breaker,
        instruments,
        RecordSizes.any(),
        InputLag.none());
  }

  /**
   * Creates the nodes of an instance, whose names have no prefix.
   *
   * @param sizes the largest records that the topics take
   * @param lag tells whether a task has input left
   */
  public static ThrottleNodes of(
      SluiceConfig config,
      CurrentLimits limits,
      int inputPartitions,
      EventOpener opener,
      RedisBreaker breaker,
      Instruments instruments,
      RecordSizes sizes,
      InputLag lag) {
    return of(config, limits, inputPartitions, opener, breaker, instruments, sizes, lag, "");
  }

  /**
   * Creates the nodes for one of several streams in another application.
   *
   * @param partitions number of partitions of the topics that this stream's events pass
   * @param lag tells whether a task has input left
   * @param prefix of the names of nodes, stores and topics
   */
  public static ThrottleNodes of(
      SluiceConfig config,
      CurrentLimits limits,
      int partitions,
      EventOpener opener,
      RedisBreaker breaker,
      Instruments instruments,
      InputLag lag,
      String prefix) {
    return of(
        config, limits, partitions, opener, breaker, instruments, RecordSizes.any(), lag, prefix);
  }

  private static ThrottleNodes of(
      SluiceConfig config,
      CurrentLimits limits,
      int inputPartitions,
      EventOpener opener,
      RedisBreaker breaker,
      Instruments instruments,
      RecordSizes sizes,
      InputLag lag,
      String prefix) {
    Arrivals arrivals = Arrivals.of(config);
    DeadLetters deadLetters =
        new DeadLetters(instruments::countDeadLetter, sizes, config.topics().deadLetter());
    HomePartitioner home = HomePartitioner.of(config, inputPartitions);
    DelayPath path =
        DelayPath.of(config, limits, home, opener::wallMs, instruments.delayed(), prefix);
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
                Conditions.ALONE.earliest(), // used until a task has a clock
                instruments::filterGrew),
            new Retries.Parts(
                path,
                limits,
                arrivals,
                opener,
                breaker,
                lag,
                deadLetters,
                homed,
                new ThreadBudget.Threads()),
            new ThreadBudget.Threads());
    return new ThrottleNodes(
        opener,
        home,
        hops,
        prefix,
        EventOpener.intake(homed, paced, deadLetters, home, lag, onward),
        Prefixed.of(prefix, path.shaper(opener, deadLetters)),
        Prefixed.of(prefix, meter));
  }

  /**
   * Output streams of the meter and the shaper, not yet sent to topics. The caller must add the
   * nodes named in {@link Nodes} (with the prefix) for each verdict except delayed, for dead
   * letters and for released events.
   *
   * @param judged events with their verdicts
   * @param waited delayed events that are due, and records that cannot be scheduled
   */
  public record Metered(KStream<byte[], EventRecord> judged, KStream<byte[], EventRecord> waited) {}

  /**
   * Adds the repartition topic that brings events to their home partitions.
   *
   * @param partitions number of partitions of that topic
   */
  public KStream<byte[], EventRecord> hop(KStream<byte[], EventRecord> taken, int partitions) {
    return taken.repartition(
        Repartitioned.with(KEY, VALUE)
            .withName(prefix + Nodes.HOME)
            .withNumberOfPartitions(partitions)
            .withStreamPartitioner(home));
  }

  /**
   * Connects the nodes from the home partition to the verdict.
   *
   * @param delayedTopic must have as many partitions as events have home partitions
   */
  public Metered meter(
      StreamsBuilder builder, KStream<byte[], EventRecord> atHome, String delayedTopic) {
    KStream<byte[], EventRecord> waited =
        builder.stream(
                delayedTopic,
                Consumed.with(KEY, VALUE)
                    .withName(prefix + Nodes.WAITING_ROOM)
                    .withTimestampExtractor(opener.ofDelayed()))
            .process(shaper, Named.as(prefix + Nodes.SHAPER));
    KStream<byte[], EventRecord> judged =
        atHome
            .merge(waited, Named.as(prefix + Nodes.TO_METER))
            .process(meter, Named.as(prefix + Nodes.METER));
    judged.to(delayedTopic, sink(Nodes.DELAYED).withStreamPartitioner(home));
    waited.to(delayedTopic, sink(Nodes.REHOMED).withStreamPartitioner(home));
    return new Metered(judged, waited);
  }

  private Produced<byte[], EventRecord> sink(String name) {
    return Produced.with(KEY, VALUE).withName(prefix + name);
  }

  /**
   * Whether the number of records that are processed but not committed is bounded. With
   * at-least-once it always is, since a limit that admits once may be added at any time.
   */
  private static BooleanSupplier paced(SluiceConfig config, CurrentLimits limits) {
    return config.isExactlyOnce() ? () -> limits.known().ever().useRedis() : () -> true;
  }
}

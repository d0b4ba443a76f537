package io.sluice.topology;

import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.rows.Conditions;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.delay.DelayPath;
import io.sluice.topology.delay.Retries;
import io.sluice.topology.delay.ThreadBudget;
import io.sluice.topology.intake.DeadLetters;
import io.sluice.topology.intake.DirectOutput;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.HomePartitioner;
import io.sluice.topology.intake.InputLag;
import io.sluice.topology.intake.IntakeProcessor;
import io.sluice.topology.intake.MeteringServices;
import io.sluice.topology.intake.NodeContext;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.intake.RecordSizes;
import io.sluice.topology.metering.MeterProcessor;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.queue.EventQueue;
import io.sluice.topology.redis.RedisBreaker;
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
 * Processor nodes of the throttling topology, not yet connected to each other.
 *
 * @param opener decodes the records of the input topics
 * @param home chooses the partition on which an event is metered
 * @param hops whether some events may need a repartition topic to reach their home partition
 * @param prefix of the names of nodes, stores and topics; empty if the application throttles one
 *     stream
 * @param intake first node of each input record; it forwards events to {@link Nodes#AT_HOME} if
 *     events may hop, else to {@link Nodes#TO_METER}
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
   * Creates the nodes with new metrics and a new circuit breaker for Redis.
   *
   * @param redis supplies the meter for Redis limits; called when the first event needs it
   */
  public static ThrottleNodes of(
      SluiceConfig config,
      CurrentLimits limits,
      int inputPartitions,
      EventOpener opener,
      Supplier<RedisMeter> redis) {
    Instruments instruments = new Instruments(config);
    RedisBreaker breaker = RedisBreaker.of(config.applicationId(), redis, instruments.redis());
    HomePartitioner home = HomePartitioner.of(config, inputPartitions);
    return of(
        new MeteringServices(config, limits, home, opener, breaker, instruments),
        RecordSizes.any(),
        InputLag.none(),
        DirectOutput.NONE);
  }

  /**
   * Creates the nodes of a Sluice instance; the nodes' names have no prefix.
   *
   * @param sizes the largest records that the topics accept
   * @param lag tells whether a task has input records that it has not read
   * @param direct sends allowed and rejected events without their sinks
   */
  public static ThrottleNodes of(
      MeteringServices services, RecordSizes sizes, InputLag lag, DirectOutput direct) {
    return of(services, sizes, lag, NodeContext.Settings.of(services, "").with(direct));
  }

  /**
   * Creates the nodes that throttle one of several streams in a user's Kafka Streams application.
   *
   * @param sizes the largest records that the topics accept
   * @param lag tells whether a task has input records that it has not read
   * @param prefix of the names of nodes, stores and topics
   */
  public static ThrottleNodes of(
      MeteringServices services, RecordSizes sizes, InputLag lag, String prefix) {
    return of(services, sizes, lag, NodeContext.Settings.of(services, prefix));
  }

  private static ThrottleNodes of(
      MeteringServices services, RecordSizes sizes, InputLag lag, NodeContext.Settings meter) {
    String prefix = meter.prefix();
    SluiceConfig config = services.config();
    Instruments instruments = services.instruments();
    DeadLetters deadLetters =
        new DeadLetters(instruments::countDeadLetter, sizes, config.topics().deadLetter());
    DelayPath path = DelayPath.of(services, services.opener()::wallMs, prefix);
    Conditions conditions =
        new Conditions(
            services.home().partitions(),
            !config.isExactlyOnce(),
            // Default for the earliest possible time of an event; each task replaces it.
            Conditions.ALONE.earliest(),
            instruments::filterGrew);
    Retries.Parts retries = new Retries.Parts(path, lag, deadLetters, new ThreadBudget.Threads());
    return new ThrottleNodes(
        services.opener(),
        services.home(),
        services.hops(),
        prefix,
        new IntakeProcessor.Node(services, deadLetters, lag),
        path.shaper(deadLetters),
        new MeterProcessor.Node(
            retries,
            new EventQueue.Parts(retries, new ThreadBudget.Threads()),
            conditions,
            new ThreadBudget.Threads(),
            meter));
  }

  /**
   * Output streams of the meter node and of the shaper node, not yet connected to sinks for all
   * topics. The caller must add the sinks named in {@link Nodes} (with the prefix) for allowed,
   * rejected and released events, and for dead letters.
   *
   * @param judged events with their verdicts, from the meter node
   * @param waited delayed events that are due, and records that cannot be scheduled, from the
   *     shaper node
   */
  public record Metered(KStream<byte[], EventRecord> judged, KStream<byte[], EventRecord> waited) {}

  /**
   * Adds the repartition topic that moves events to their home partitions, on which they are
   * metered.
   *
   * @param partitions number of partitions of the repartition topic
   */
  public KStream<byte[], EventRecord> hop(KStream<byte[], EventRecord> taken, int partitions) {
    return taken.repartition(
        Repartitioned.with(KEY, VALUE)
            .withName(prefix + Nodes.HOME)
            .withNumberOfPartitions(partitions)
            .withStreamPartitioner(home));
  }

  /**
   * Connects the meter, the shaper and the sinks for the topic of delayed events.
   *
   * @param atHome events on their home partitions
   * @param delayedTopic must have as many partitions as there are home partitions
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
}

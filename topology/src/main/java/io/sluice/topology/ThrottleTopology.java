package io.sluice.topology;

import io.sluice.limiter.redis.RedisMeter;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.topology.config.OutputTopics;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.config.Topics;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.Nodes;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Produced;

/**
 * Builder of the Kafka Streams topology that throttles events. It adds the nodes in the order in
 * which an event passes them.
 */
public final class ThrottleTopology {
  private static final Serde<byte[]> KEY = Serdes.ByteArray();
  private static final Serde<EventRecord> VALUE = EventRecord.serde();

  private ThrottleTopology() {}

  /**
   * Builds the topology with the configured limits.
   *
   * @param inputPartitions number of partitions of each input topic
   * @param wallClock clock for refusing event times too far in the future, and for limiting the
   *     duration of a punctuation
   * @param redis supplies the meter for Redis limits; called when the first event needs it
   */
  public static Topology build(
      SluiceConfig config,
      int inputPartitions,
      InstantSource wallClock,
      Supplier<RedisMeter> redis) {
    EventOpener opener =
        EventOpener.of(
            config, CurrentLimits.of(config.limitsConfig()), config.eventDecoder(), wallClock);
    return build(config, inputPartitions, opener, redis);
  }

  /** Builds the topology with the configured limits and the caller's event opener. */
  public static Topology build(
      SluiceConfig config, int inputPartitions, EventOpener opener, Supplier<RedisMeter> redis) {
    return build(config, CurrentLimits.of(config.limitsConfig()), inputPartitions, opener, redis);
  }

  /** Builds the topology with limits that may change while it runs. */
  public static Topology build(
      SluiceConfig config,
      CurrentLimits limits,
      int inputPartitions,
      EventOpener opener,
      Supplier<RedisMeter> redis) {
    return build(
        config.topics(),
        inputPartitions,
        ThrottleNodes.of(config, limits, inputPartitions, opener, redis));
  }

  /**
   * Connects the given nodes, whose names have no prefix, to a topology with sinks for all topics.
   */
  public static Topology build(Topics topics, int inputPartitions, ThrottleNodes nodes) {
    EventOpener opener = nodes.opener();
    StreamsBuilder builder = new StreamsBuilder();

    KStream<byte[], EventRecord> taken =
        builder.stream(
                topics.inputs(),
                Consumed.with(KEY, VALUE).withName(Nodes.INPUT).withTimestampExtractor(opener))
            .process(nodes.intake(), Named.as(Nodes.INTAKE));

    KStream<byte[], EventRecord> atHome = taken;
    if (nodes.hops()) {
      atHome = taken.merge(nodes.hop(taken, inputPartitions), Named.as(Nodes.AT_HOME));
    }
    ThrottleNodes.Metered metered = nodes.meter(builder, atHome, topics.delayed());
    KStream<byte[], EventRecord> judged = metered.judged();
    KStream<byte[], EventRecord> waited = metered.waited();

    send(taken, topics.allowed(), Nodes.UNMETERED);
    send(judged, topics.allowed(), Nodes.ALLOWED);
    send(judged, topics.rejected(), Nodes.REJECTED);
    send(waited, topics.allowed(), Nodes.RELEASED);
    send(waited, topics.deadLetter(), Nodes.UNSCHEDULED);
    send(taken.merge(judged, Named.as(Nodes.DEAD_LETTERS)), topics.deadLetter(), Nodes.DEAD_LETTER);
    return builder.build();
  }

  /**
   * Adds a sink. If all inputs share one output topic, the sink gets the topic's name, so that the
   * name appears in the topology's description; else the sink asks each event for its topic.
   */
  private static void send(KStream<byte[], EventRecord> from, OutputTopics to, String name) {
    if (to.isOne()) from.to(to.names().get(0), sink(name));
    else from.to((key, event, context) -> to.of(event.origin()), sink(name));
  }

  private static Produced<byte[], EventRecord> sink(String name) {
    return Produced.with(KEY, VALUE).withName(name);
  }
}

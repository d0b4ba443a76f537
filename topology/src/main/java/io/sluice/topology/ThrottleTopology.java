package io.sluice.topology;

import io.sluice.limiter.redis.RedisMeter;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.Repartitioned;

/** The topology: what an event passes, in the order in which it does. */
final class ThrottleTopology {
  private static final Serde<byte[]> KEY = Serdes.ByteArray();
  private static final Serde<Event> VALUE = Event.serde();

  private ThrottleTopology() {}

  /**
   * Builds the topology.
   *
   * @param inputPartitions how many partitions each input topic has
   * @param wallClock what "in the future" is measured by, and how long a tick takes
   * @param redis meters the limits that count in Redis; asked for when the first event needs it
   */
  static Topology build(
      SluiceConfig config,
      int inputPartitions,
      InstantSource wallClock,
      Supplier<RedisMeter> redis) {
    EventDecoder decoder = config.eventDecoder();
    Instruments instruments = new Instruments(config);
    RedisBreaker breaker = new RedisBreaker(redis, instruments.redis());
    Metered metered = Metered.of(config, decoder, breaker, instruments);
    EventOpener opener =
        new EventOpener(decoder, wallClock, config.timeMaxAhead(), metered.prefetched());
    return build(config, inputPartitions, opener, metered, RecordSizes.any());
  }

  /**
   * The same.
   *
   * @param sizes of records that can be written
   */
  static Topology build(
      SluiceConfig config,
      int inputPartitions,
      EventOpener opener,
      Metered metered,
      RecordSizes sizes) {
    Topics topics = config.topics();
    DeadLetters deadLetters =
        new DeadLetters(metered.instruments().deadLetters(), sizes, topics.deadLetter());
    EventRoom delayedRoom = EventRoom.ofDelayed(config, sizes);
    HomePartition home = HomePartition.of(config, inputPartitions);
    DelayPath path = DelayPath.of(config, home, opener::wallMs);
    boolean hops = hops(config.limits());
    String onward = hops ? Nodes.AT_HOME : Nodes.TO_METER;
    StreamsBuilder builder = new StreamsBuilder();

    KStream<byte[], Event> taken =
        builder.stream(
                topics.inputs(),
                Consumed.with(KEY, VALUE).withName(Nodes.INPUT).withTimestampExtractor(opener))
            .process(
                () -> new IntakeProcessor(metered, deadLetters, home, onward),
                Named.as(Nodes.INTAKE));

    KStream<byte[], Event> atHome = taken;
    if (hops) {
      KStream<byte[], Event> hopped =
          taken.repartition(
              Repartitioned.with(KEY, VALUE)
                  .withName(Nodes.HOME)
                  .withNumberOfPartitions(inputPartitions)
                  .withStreamPartitioner(home));
      atHome = taken.merge(hopped, Named.as(Nodes.AT_HOME));
    }
    KStream<byte[], Event> waited =
        builder.stream(
                topics.delayed(),
                Consumed.with(KEY, VALUE)
                    .withName(Nodes.WAITING_ROOM)
                    .withTimestampExtractor(new DelayedOpener(opener, delayedRoom)))
            .process(new ShaperProcessor.Node(path, metered, deadLetters), Named.as(Nodes.SHAPER));
    KStream<byte[], Event> judged =
        atHome
            .merge(waited, Named.as(Nodes.TO_METER))
            .process(new MeterProcessor.Node(metered, path, deadLetters), Named.as(Nodes.METER));

    judged.to(topics.allowed(), sink(Nodes.ALLOWED));
    judged.to(topics.rejected(), sink(Nodes.REJECTED));
    judged.to(topics.delayed(), sink(Nodes.DELAYED).withStreamPartitioner(home));
    waited.to(topics.allowed(), sink(Nodes.RELEASED));
    waited.to(topics.delayed(), sink(Nodes.REHOMED).withStreamPartitioner(home));
    waited.to(topics.deadLetter(), sink(Nodes.UNSCHEDULED));
    taken
        .merge(judged, Named.as(Nodes.DEAD_LETTERS))
        .to(topics.deadLetter(), sink(Nodes.DEAD_LETTER));
    return builder.build();
  }

  /** Whether events are metered where a field of theirs says, and go there first if need be. */
  static boolean hops(List<Limit> limits) {
    boolean keepsState =
        limits.stream().anyMatch(limit -> Homing.counts(limit) || Metered.fallsBack(limit));
    return keepsState || !Homing.homed(limits).isEmpty();
  }

  private static Produced<byte[], Event> sink(String name) {
    return Produced.with(KEY, VALUE).withName(name);
  }
}

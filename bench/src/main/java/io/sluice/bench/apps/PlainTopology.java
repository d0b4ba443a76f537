package io.sluice.bench.apps;

import io.sluice.bench.run.Application;
import io.sluice.bench.run.Workplace;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.EventRecord;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Properties;
import java.util.function.Function;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;

/** Kafka Streams application without Sluice, with the same Streams settings as Sluice. */
public record PlainTopology(Function<Workplace, Topology> topology) implements Application {
  /** Application that copies the input topic to the output topic by the Streams DSL, as bytes. */
  public static final Application PASS_THROUGH = new PlainTopology(PlainTopology::passThrough);

  /** Name of the pass-through application in the tables. */
  public static final String PASS_THROUGH_NAME = "pass-through";

  /** Application that only decodes and checks each event. */
  public static final Application DECODE_ONLY = new PlainTopology(PlainTopology::decodeOnly);

  public static final Application WINDOWED_COUNT = new PlainTopology(WindowedCount::topology);
  public static final Application BUCKET4J = new PlainTopology(LimitersOnRedis::bucket4j);
  public static final Application REDISSON = new PlainTopology(LimitersOnRedis::redisson);

  private static final Duration MOST_CLOSING = Duration.ofSeconds(20);

  private static Topology passThrough(Workplace at) {
    StreamsBuilder builder = new StreamsBuilder();
    builder.stream(at.input(), Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
        .to(at.allowed(), Produced.with(Serdes.ByteArray(), Serdes.ByteArray()));
    return builder.build();
  }

  private static Topology decodeOnly(Workplace at) {
    Serde<EventRecord> value = EventRecord.serde();
    EventOpener opener =
        new EventOpener(
            SluiceConfig.of(at.settings()).eventDecoder(),
            InstantSource.system(),
            Duration.ofMinutes(1));
    StreamsBuilder builder = new StreamsBuilder();
    builder.stream(
            at.input(), Consumed.with(Serdes.ByteArray(), value).withTimestampExtractor(opener))
        .to(at.allowed(), Produced.with(Serdes.ByteArray(), value));
    return builder.build();
  }

  @Override
  public Running start(Workplace workplace) {
    Properties settings = SluiceConfig.of(workplace.settings()).streams();
    KafkaStreams streams = new KafkaStreams(topology.apply(workplace), settings);
    streams.setUncaughtExceptionHandler(
        failure -> {
          failure.printStackTrace();
          return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
    streams.start();
    return new RunningStreams(streams, () -> {});
  }

  /**
   * Running Kafka Streams client without Sluice.
   *
   * @param afterwards releases resources of its topology at the end
   */
  record RunningStreams(KafkaStreams streams, Runnable afterwards) implements Running {
    @Override
    public boolean hasFailed() {
      return streams.state() == KafkaStreams.State.ERROR
          || streams.state() == KafkaStreams.State.PENDING_ERROR;
    }

    @Override
    public void close() {
      if (!streams.close(MOST_CLOSING)) throw new IllegalStateException("Streams does not close");
      afterwards.run();
    }
  }
}

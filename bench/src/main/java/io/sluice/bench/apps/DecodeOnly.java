package io.sluice.bench.apps;

import io.sluice.bench.run.Workplace;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.EventRecord;
import java.time.Duration;
import java.time.InstantSource;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;

/** Kafka Streams topology that only decodes and checks each event. */
final class DecodeOnly {
  private DecodeOnly() {}

  static Topology topology(Workplace at) {
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
}

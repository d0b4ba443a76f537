package io.sluice.topology;

import io.sluice.schemas.FieldPaths;
import java.time.Duration;
import java.time.InstantSource;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;

/** Parts of Sluice that only a benchmark wants alone; in this package because nobody else may. */
public final class Dissected {
  private Dissected() {}

  /** A topology that decodes each event and checks it, and that is all. */
  public static Topology decodeOnly(String input, String output) {
    Serde<EventRecord> value = EventRecord.serde();
    EventDecoder decoder = new EventDecoder(FieldPaths.DEFAULT, new NoSchemas(), 1);
    EventOpener opener =
        new EventOpener(decoder, InstantSource.system(), Duration.ofMinutes(1));
    StreamsBuilder builder = new StreamsBuilder();
    builder.stream(input, Consumed.with(Serdes.ByteArray(), value).withTimestampExtractor(opener))
        .to(output, Produced.with(Serdes.ByteArray(), value));
    return builder.build();
  }
}

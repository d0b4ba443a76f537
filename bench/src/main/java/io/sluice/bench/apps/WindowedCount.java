package io.sluice.bench.apps;

import io.sluice.bench.input.Workload;
import io.sluice.bench.run.Workplace;
import io.sluice.limiter.Quota;
import java.time.Duration;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Joined;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.KTable;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Alternative to Sluice in the Streams DSL: counts events by key and window, joins the count to the
 * events, and allows the events that arrived while the count was low. The count passes a
 * repartition topic, because its key changes from the window to the user, so the limit is at best
 * approximate.
 */
final class WindowedCount {
  private static final Serde<byte[]> BYTES = Serdes.ByteArray();
  private static final Serde<String> USER = Serdes.String();

  private WindowedCount() {}

  private record Counted(Bytes event, boolean within) {}

  static Topology topology(Workplace workplace) {
    Quota quota = Quota.parse(Workload.QUOTA);
    TimeWindows windows =
        TimeWindows.ofSizeWithNoGrace(Duration.ofNanos(quota.periodMicros() * 1_000));
    StreamsBuilder builder = new StreamsBuilder();
    KStream<String, byte[]> events = builder.stream(workplace.input(), Consumed.with(USER, BYTES));
    KTable<String, Long> counts =
        events
            .groupByKey(Grouped.with(USER, BYTES))
            .windowedBy(windows)
            .count()
            .toStream((window, count) -> window.key())
            .toTable(
                Materialized.<String, Long, KeyValueStore<Bytes, byte[]>>as("counts")
                    .withKeySerde(USER)
                    .withValueSerde(Serdes.Long()));
    KStream<String, Counted> counted =
        events.leftJoin(
            counts,
            (event, count) ->
                new Counted(Bytes.wrap(event), count == null || count <= quota.permits()),
            Joined.with(USER, BYTES, Serdes.Long()));
    sink(counted.filter((user, each) -> each.within), workplace.allowed());
    sink(counted.filterNot((user, each) -> each.within), workplace.rejected());
    return builder.build();
  }

  private static void sink(KStream<String, Counted> counted, String topic) {
    counted.mapValues(each -> each.event.get()).to(topic, Produced.with(USER, BYTES));
  }
}

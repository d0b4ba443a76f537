package io.sluice.topology.simulation;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.topology.intake.EventRecord;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.api.Record;

/** Kafka Streams without Kafka: one partition, and a clock that stands until it is moved. */
interface SimulatedStreams extends AutoCloseable {
  /**
   * Publishes a record to its topic, or to the first input topic if its own is not an input.
   *
   * @param number stays with the record until it comes out, like the origin
   * @param event decoded from the record; empty if that failed
   */
  void publish(
      ConsumerRecord<byte[], byte[]> record, long number, Origin origin, Optional<Event> event);

  /** Moves the clock on. */
  void advance(long byMs);

  /**
   * Passes on the results since the last call, in order: first the delayed ones, then all others.
   */
  void drain(Consumer<Record<byte[], EventRecord>> verdict);

  @Override
  void close();
}

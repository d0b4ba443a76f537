package io.sluice.topology.simulation;

import io.sluice.topology.event.Event;
import io.sluice.topology.event.Origin;
import io.sluice.topology.intake.EventRecord;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.api.Record;

/** Kafka Streams without Kafka: one partition, and a clock that stands until it is moved. */
interface SimulatedStreams extends AutoCloseable {
  /**
   * Publishes a record to its topic, or to the first one if that is no input.
   *
   * @param number keeps with the record wherever it goes, and so does the origin
   * @param event that was read from it, if it is one
   */
  void publish(
      ConsumerRecord<byte[], byte[]> record, long number, Origin origin, Optional<Event> event);

  /** Moves the clock. */
  void advance(long byMs);

  /** Hands over what has come out since, in order: first what is delayed, then what is let go. */
  void drain(Consumer<Record<byte[], EventRecord>> verdict);

  @Override
  void close();
}

package io.sluice.topology.simulation;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.topology.intake.EventRecord;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Kafka Streams application without Kafka: it has one partition, and a wall clock that moves only
 * when it is told to.
 */
interface SimulatedStreams extends AutoCloseable {
  /**
   * Publishes and processes a record: on its topic, or on the first input topic if its topic is not
   * an input topic.
   *
   * @param number number that the results of the record have, too
   * @param origin original coordinates of the record, which its results have, too
   * @param event event decoded from the record; empty if decoding failed
   */
  void publish(
      ConsumerRecord<byte[], byte[]> record, long number, Origin origin, Optional<Event> event);

  /** Advances the wall clock, and runs punctuations. */
  void advance(long byMs);

  /**
   * Passes on the records that were written to output topics since the last call, in order: first
   * the delayed events, then all other records.
   */
  void drain(Consumer<Record<byte[], EventRecord>> verdict);

  @Override
  void close();
}

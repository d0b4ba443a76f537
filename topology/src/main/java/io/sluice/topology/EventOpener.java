package io.sluice.topology;

import java.time.Duration;
import java.time.InstantSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * Opens each event of the input topics: decodes and checks it, and gives Streams its time. From
 * then on Streams' own stream time is the partition's clock.
 */
final class EventOpener implements TimestampExtractor {
  /*
   * Why here: the extractor is the first of our code that sees a record's coordinates, which stand in
   * for a missing id and time; and the time it returns is what Streams keeps in the committed offset's
   * metadata, so that the clock of a partition survives restarts and never goes back, without a store.
   */
  private final EventDecoder decoder = new EventDecoder();
  private final InstantSource wallClock;
  private final long maxAheadMs;

  EventOpener(InstantSource wallClock, Duration maxAhead) {
    this.wallClock = wallClock;
    maxAheadMs = maxAhead.toMillis();
  }

  @Override
  public long extract(ConsumerRecord<Object, Object> record, long partitionTimeMs) {
    Event event = (Event) record.value();
    String origin = record.topic() + "-" + record.partition() + "-" + record.offset();
    open(event, origin, record.timestamp());
    // A faulty event says nothing about time. Streams would drop a record whose time is negative.
    return event.isFaulty() ? Math.max(0, partitionTimeMs) : event.view().occurredAtMs();
  }

  private void open(Event event, String origin, long timestampMs) {
    try {
      EventView view = decoder.decode(event.bytes(), origin, timestampMs);
      long latestMs = wallClock.millis() + maxAheadMs;
      if (view.occurredAtMs() > latestMs) {
        long aheadMs = view.occurredAtMs() - wallClock.millis();
        event.faulty(
            "occurredAt is "
                + aheadMs
                + " ms in the future, at most "
                + maxAheadMs
                + " is accepted",
            origin,
            timestampMs);
        return;
      }
      event.opened(view, origin, timestampMs);
    } catch (UnreadableEventException e) {
      event.faulty(e.getMessage(), origin, timestampMs);
    }
  }
}

package io.sluice.topology.intake;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * Timestamp extractor of the topic of delayed events; it also decodes the events. It accepts an
 * event however far its time is ahead of the instance's clock, because the event was accepted when
 * it first came. It returns the time 0 for all records: the stream time has advanced to these
 * events when they were metered, and Kafka Streams, which takes the oldest record first, then never
 * leaves them behind a backlog of the input.
 */
record DelayedOpener(EventOpener opener) implements TimestampExtractor {
  private static final long BEFORE_ALL_MS = 0;

  @Override
  public long extract(ConsumerRecord<Object, Object> record, long partitionTimeMs) {
    opener.openAdmitted((EventRecord) record.value(), record);
    return BEFORE_ALL_MS;
  }
}

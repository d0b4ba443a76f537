package io.sluice.topology.intake;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * Timestamp extractor of the topic of delayed events, which decodes them. Accepts an event however
 * far it is ahead of this instance's clock, because it was admitted before. Returns the same time,
 * 0, for all: the partition's clock has seen these events when they were metered, and Streams,
 * which takes the oldest record first, never leaves them behind a backlog of the input.
 */
record DelayedOpener(EventOpener opener) implements TimestampExtractor {
  private static final long BEFORE_ALL_MS = 0;

  @Override
  public long extract(ConsumerRecord<Object, Object> record, long partitionTimeMs) {
    opener.openAdmitted((EventRecord) record.value(), record);
    return BEFORE_ALL_MS;
  }
}

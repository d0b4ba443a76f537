package io.sluice.topology.intake;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * The opener of what comes back on the topic of delayed events. It says nothing of time: the
 * partition's clock has seen these events when they were metered, and an event that was admitted
 * stays so, however far ahead of this instance's clock it is. And nothing is older, so Streams,
 * which takes the oldest first, never leaves one lying behind a backlog of the input.
 */
record DelayedOpener(EventOpener opener) implements TimestampExtractor {
  private static final long BEFORE_ALL_MS = 0;

  @Override
  public long extract(ConsumerRecord<Object, Object> record, long partitionTimeMs) {
    opener.openAdmitted((EventRecord) record.value(), record);
    return BEFORE_ALL_MS;
  }
}

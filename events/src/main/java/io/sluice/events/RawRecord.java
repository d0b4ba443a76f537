package io.sluice.events;

import io.sluice.rules.event.Origin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Kafka record that an event is read from. Its bytes must not be modified. */
public final class RawRecord {
  private final byte[] key;
  private final byte[] value;
  private final Headers headers;
  private final Origin origin;
  private final long timestampMs;

  /**
   * @param key key of the record; null if it has none
   * @param value value of the record; null if it has none
   * @param origin coordinates of the record in which the event first came; they name the input
   *     topic and replace a missing event id
   * @param timestampMs timestamp of the record, which replaces a missing event time
   */
  public RawRecord(byte[] key, byte[] value, Headers headers, Origin origin, long timestampMs) {
    this.key = key;
    this.value = value;
    this.headers = headers;
    this.origin = origin;
    this.timestampMs = timestampMs;
  }

  /** Returns a record that has a value, but neither a key nor headers. */
  public static RawRecord ofValue(byte[] value, Origin origin, long timestampMs) {
    return new RawRecord(null, value, new RecordHeaders(), origin, timestampMs);
  }

  /**
   * Returns the record that an event is read from.
   *
   * @param record record with a key of bytes
   * @param origin coordinates of the record in which the event first came
   */
  public static RawRecord of(ConsumerRecord<?, byte[]> record, Origin origin) {
    return new RawRecord(
        (byte[]) record.key(), record.value(), record.headers(), origin, record.timestamp());
  }

  /**
   * Returns the record in which the event first came, made of a copy of it in another topic.
   *
   * @param hadKey whether the first record had a key
   */
  public RawRecord cameAs(Origin first, long firstTimestampMs, boolean hadKey) {
    return new RawRecord(hadKey ? key : null, value, headers, first, firstTimestampMs);
  }

  byte[] key() {
    return key;
  }

  byte[] value() {
    return value;
  }

  public Headers headers() {
    return headers;
  }

  Origin origin() {
    return origin;
  }

  public long timestampMs() {
    return timestampMs;
  }
}

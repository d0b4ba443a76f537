package io.sluice.guarantees.evidence;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.Verdicts;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Copy of a record in an input or output topic, with the publisher's description of the event. */
public record Kept(ConsumerRecord<byte[], byte[]> record, Described event) {
  private static final int LARGE_BYTES = 10_000;

  /** Copies a record; replaces a large value by its SHA-256 to save memory. */
  static Kept of(ConsumerRecord<byte[], byte[]> record, Described event) {
    boolean large = record.value() != null && record.value().length >= LARGE_BYTES;
    ConsumerRecord<byte[], byte[]> own =
        new ConsumerRecord<>(
            record.topic(),
            record.partition(),
            record.offset(),
            record.timestamp(),
            record.timestampType(),
            record.serializedKeySize(),
            record.serializedValueSize(),
            record.key(),
            large ? digest(record.value()) : record.value(),
            copy(record.headers()),
            Optional.empty());
    return new Kept(own, event);
  }

  /**
   * Copies headers. A header that was never read refers to the consumer's fetch buffer, and would
   * keep the whole buffer in memory: megabytes, if one of the fetched records is large.
   */
  private static Headers copy(Headers headers) {
    Headers copy = new RecordHeaders();
    for (Header each : headers) copy.add(each.key(), each.value());
    return copy;
  }

  private static byte[] digest(byte[] value) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(value);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has it", e);
    }
  }

  public String topic() {
    return record.topic();
  }

  public int partition() {
    return record.partition();
  }

  public long offset() {
    return record.offset();
  }

  public long number() {
    return event.number();
  }

  /** Returns the value of a header as text; empty if the record has no such header. */
  public String header(String name) {
    return header(record, name);
  }

  static String header(ConsumerRecord<?, ?> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null || header.value() == null ? "" : new String(header.value(), UTF_8);
  }

  /** Returns the value of a header as a number; 0 if the record has no such header. */
  public long number(String header) {
    String text = header(header);
    return text.isEmpty() ? 0 : Long.parseLong(text);
  }

  /** Whether the verdict was given without Redis because Redis did not answer. */
  public boolean isWithoutRedis() {
    return header(Verdicts.REASON).equals(Verdicts.WITHOUT_REDIS);
  }

  /** Whether the broker set the record's timestamp, not the sender. */
  public boolean isTimedByBroker() {
    return record.timestampType() == TimestampType.LOG_APPEND_TIME;
  }

  /** Returns the topic and partition of the record as text. */
  public String place() {
    return topic() + "-" + partition();
  }

  /** Returns the topic, partition and offset of the record as text. */
  public String at() {
    return place() + "-" + offset();
  }

  @Override
  public String toString() {
    return event + " at " + at();
  }
}

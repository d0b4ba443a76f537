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

/** A record as it lies in a topic, and what the publisher said of it. */
public record Kept(ConsumerRecord<byte[], byte[]> record, Described event) {
  private static final int LARGE_BYTES = 10_000;

  /** The record; of a large value, only as much as it takes to tell it from others. */
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
   * A header that nobody has looked at is a part of the buffer that was fetched, and keeps all of
   * that: megabytes, where one of the records is large.
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

  /** The text of a header; empty if there is none. */
  public String header(String name) {
    return header(record, name);
  }

  static String header(ConsumerRecord<?, ?> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null || header.value() == null ? "" : new String(header.value(), UTF_8);
  }

  /** The number in a header; 0 if there is none. */
  public long number(String header) {
    String text = header(header);
    return text.isEmpty() ? 0 : Long.parseLong(text);
  }

  /** Whether it says that its verdict was given without Redis. */
  public boolean isWithoutRedis() {
    return header(Verdicts.REASON).equals(Verdicts.WITHOUT_REDIS);
  }

  /** Whether its timestamp is when the broker got it, and not what its sender wrote. */
  public boolean isTimedByBroker() {
    return record.timestampType() == TimestampType.LOG_APPEND_TIME;
  }

  /** The topic and partition that it lies in. */
  public String place() {
    return topic() + "-" + partition();
  }

  /** Where it lies. */
  public String at() {
    return place() + "-" + offset();
  }

  @Override
  public String toString() {
    return event + " at " + at();
  }
}

package io.sluice.guarantees;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.TimestampType;

/** A record as it lies in a topic, and what the publisher said of it. */
record Kept(ConsumerRecord<byte[], byte[]> record, Described event) {
  String topic() {
    return record.topic();
  }

  int partition() {
    return record.partition();
  }

  long offset() {
    return record.offset();
  }

  long number() {
    return event.number();
  }

  /** The text of a header; empty if there is none. */
  String header(String name) {
    Header header = record.headers().lastHeader(name);
    return header == null || header.value() == null ? "" : new String(header.value(), UTF_8);
  }

  /** The number in a header; 0 if there is none. */
  long number(String header) {
    String text = header(header);
    return text.isEmpty() ? 0 : Long.parseLong(text);
  }

  /** Whether its timestamp is when the broker got it, and not what its sender wrote. */
  boolean isTimedByBroker() {
    return record.timestampType() == TimestampType.LOG_APPEND_TIME;
  }

  /** Where it lies. */
  String at() {
    return topic() + "-" + partition() + "-" + offset();
  }

  @Override
  public String toString() {
    return event + " at " + at();
  }
}

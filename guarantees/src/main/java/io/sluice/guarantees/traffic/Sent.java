package io.sluice.guarantees.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.Verdicts;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Record to be published, with the description that checks of the results use. */
public final class Sent {
  private final Described described;
  private final ProducerRecord<byte[], byte[]> record;

  Sent(String topic, byte[] key, byte[] value, long timestampMs, Described described) {
    this.described = described;
    record =
        new ProducerRecord<>(topic, key, value) {
          @Override
          public Long timestamp() {
            return timestampMs; // may be negative, unlike in constructors
          }
        };
    record.headers().add(Described.HEADER, described.toBytes());
  }

  /** Returns a copy of the record with another description. */
  Sent again(Described other) {
    return new Sent(record.topic(), record.key(), record.value(), record.timestamp(), other);
  }

  /** Adds headers as other producers do, before and after the header with the description. */
  Sent traced() {
    byte[] trace = Long.toHexString(described.number()).getBytes(UTF_8);
    RecordHeaders before = new RecordHeaders(record.headers());
    record.headers().remove(Described.HEADER).add("trace", trace);
    before.forEach(record.headers()::add);
    record.headers().add("trace", null).add("empty", new byte[0]);
    return this;
  }

  /** Adds forged headers with names that only Sluice may use. */
  Sent forged() {
    for (String name : Verdicts.FORGEABLE) record.headers().add(name, Verdicts.forged());
    return this;
  }

  /** Adds a header with a value of {@code bytes} bytes, to increase the size of the record. */
  Sent noisy(int bytes) {
    record.headers().add("noise", new byte[bytes]);
    return this;
  }

  Described described() {
    return described;
  }

  String topic() {
    return record.topic();
  }

  byte[] key() {
    return record.key();
  }

  ProducerRecord<byte[], byte[]> record() {
    return record;
  }
}

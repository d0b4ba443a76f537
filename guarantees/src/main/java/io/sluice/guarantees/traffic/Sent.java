package io.sluice.guarantees.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.Verdicts;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** A record on its way to the broker, and what it is. */
public final class Sent {
  private final Described described;
  private final ProducerRecord<byte[], byte[]> record;

  Sent(String topic, byte[] key, byte[] value, long timestampMs, Described described) {
    this.described = described;
    record =
        new ProducerRecord<>(topic, key, value) {
          @Override
          public Long timestamp() {
            return timestampMs; // the constructors take none that is negative, the protocol does
          }
        };
    record.headers().add(Described.HEADER, described.toBytes());
  }

  /** The same record again, named as another. */
  Sent again(Described other) {
    return new Sent(record.topic(), record.key(), record.value(), record.timestamp(), other);
  }

  /** With headers of its sender's around the one that says what it is. */
  Sent traced() {
    byte[] trace = Long.toHexString(described.number()).getBytes(UTF_8);
    RecordHeaders before = new RecordHeaders(record.headers());
    record.headers().remove(Described.HEADER).add("trace", trace);
    before.forEach(record.headers()::add);
    record.headers().add("trace", null).add("empty", new byte[0]);
    return this;
  }

  /** With headers that only Sluice may write. */
  Sent forged() {
    for (String name : Verdicts.FORGEABLE) record.headers().add(name, Verdicts.forged());
    return this;
  }

  /** With a header of so many bytes. */
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

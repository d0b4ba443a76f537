package io.sluice.guarantees.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.Verdicts;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Record to be sent, with its description. */
public final class Sent {
  private final Described described;
  private final ProducerRecord<byte[], byte[]> record;

  Sent(String topic, byte[] key, byte[] value, long timestampMs, Described described) {
    this.described = described;
    record =
        new ProducerRecord<>(topic, key, value) {
          @Override
          public Long timestamp() {
            return timestampMs; // negative too, which constructors refuse
          }
        };
    record.headers().add(Described.HEADER, described.toBytes());
  }

  /** Returns the same record with another description. */
  Sent again(Described other) {
    return new Sent(record.topic(), record.key(), record.value(), record.timestamp(), other);
  }

  /** Adds headers of the sender before and after the description. */
  Sent traced() {
    byte[] trace = Long.toHexString(described.number()).getBytes(UTF_8);
    RecordHeaders before = new RecordHeaders(record.headers());
    record.headers().remove(Described.HEADER).add("trace", trace);
    before.forEach(record.headers()::add);
    record.headers().add("trace", null).add("empty", new byte[0]);
    return this;
  }

  /** Adds headers that only Sluice may write. */
  Sent forged() {
    for (String name : Verdicts.FORGEABLE) record.headers().add(name, Verdicts.forged());
    return this;
  }

  /** Adds a header of this size. */
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

package io.sluice.runtime.cluster;

import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Producer without transactions that fails at every flush after a record was lost, so that none of
 * the tasks that share the producer commits the offsets of lost records.
 */
final class FailOnLostSendProducer extends KafkaProducer<byte[], byte[]> {
  /*
   * Kafka Streams reports a lost record to one of the thread's tasks only (KAFKA-16903). While the
   * thread runs, FailedSends ends the thread. But where tasks are closed one by one, as at
   * shutdown, the other tasks would commit. Failures that are not retriable, such as a record that
   * is too large, do not count, since a handler may have skipped that record.
   */
  private volatile RetriableException failure;

  FailOnLostSendProducer(Map<String, Object> config) {
    super(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
    return super.send(
        record,
        (metadata, exception) -> {
          if (exception instanceof RetriableException retriable) failure = retriable;
          if (callback != null) callback.onCompletion(metadata, exception);
        });
  }

  /**
   * Waits until all records have been sent.
   *
   * @throws KafkaException if a record was lost, before or during this call
   */
  @Override
  public void flush() {
    super.flush();
    RetriableException first = failure;
    if (first != null) throw new KafkaException("a sent record was not written", first);
  }
}

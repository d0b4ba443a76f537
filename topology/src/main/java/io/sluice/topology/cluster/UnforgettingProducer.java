package io.sluice.topology.cluster;

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
 * A producer without transactions that says at every flush that something it was to send has not
 * arrived, so that nobody who shares it commits what came before.
 */
final class UnforgettingProducer extends KafkaProducer<byte[], byte[]> {
  /*
   * Streams tells one of a thread's tasks, and forgets it (KAFKA-16903). While it runs, the thread
   * ends of that, see FailedSends. But where it closes tasks one by one, as at the end, the others
   * would commit. What no repetition helps, such as a record that is too large, a handler may have
   * chosen to leave out.
   */
  private volatile RetriableException failure;

  UnforgettingProducer(Map<String, Object> config) {
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
   * Returns when all has been sent.
   *
   * @throws KafkaException if something has not arrived, now or ever
   */
  @Override
  public void flush() {
    super.flush();
    RetriableException first = failure;
    if (first != null) throw new KafkaException("not all that was sent has arrived", first);
  }
}

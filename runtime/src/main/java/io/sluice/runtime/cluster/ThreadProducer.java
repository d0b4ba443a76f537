package io.sluice.runtime.cluster;

import io.sluice.topology.intake.DirectOutput;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Producer of a stream thread. With transactions, it commits an offset in each of them, so that
 * brokers refuse each transaction of a process that is no longer a member of its group. Without
 * transactions, it fails at every flush after a record was lost, so that none of the tasks that
 * share the producer commits the offsets of lost records.
 */
final class ThreadProducer extends KafkaProducer<byte[], byte[]> implements DirectOutput.Sender {
  /*
   * With exactly-once, the offsets that a transaction commits carry the generation of the group. By
   * the generation brokers detect a process that was suspended and has lost its partitions. Records
   * of a punctuation have no offsets if nothing was read since the last commit; then Kafka Streams
   * would commit no offsets, and the transaction of a suspended process would be committed beside
   * that of its successor. So every transaction commits an offset, of a partition that no group
   * member reads.
   *
   * With at-least-once, Kafka Streams reports a lost record to one of the thread's tasks only
   * (KAFKA-16903). While the thread runs, FailedSends ends the thread. But where tasks are closed
   * one by one, as at shutdown, the other tasks would commit. Of the records that Streams sends,
   * failures that are not retriable do not count, since a handler may have skipped the record.
   *
   * A transaction with a failed record cannot be committed, so directly sent records need no more.
   */
  private static final OffsetAndMetadata NOWHERE = new OffsetAndMetadata(0, "fence");

  private final TopicPartition fence;
  private final RefusedRecords refusals;
  private final boolean inTransactions;
  private boolean isOpen;
  private volatile Exception lost;

  /**
   * @param fence an existing partition that no member of the group reads
   * @param refusals receives the failures of directly sent records
   */
  ThreadProducer(Map<String, Object> config, TopicPartition fence, RefusedRecords refusals) {
    super(config, new ByteArraySerializer(), new ByteArraySerializer());
    this.fence = fence;
    this.refusals = refusals;
    inTransactions = config.containsKey(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
    isOpen = !inTransactions;
  }

  @Override
  public void beginTransaction() {
    super.beginTransaction();
    isOpen = true;
  }

  @Override
  public void sendOffsetsToTransaction(
      Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
    super.sendOffsetsToTransaction(offsets.isEmpty() ? Map.of(fence, NOWHERE) : offsets, group);
  }

  @Override
  public void commitTransaction() {
    isOpen = false;
    super.commitTransaction();
  }

  @Override
  public void abortTransaction() {
    isOpen = false;
    super.abortTransaction();
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the callback gets a failure
  public boolean trySend(ProducerRecord<byte[], byte[]> record) {
    if (!isOpen) return false;
    super.send(
        record,
        (metadata, failure) -> {
          if (failure != null) failed(record, failure);
        });
    return true;
  }

  private void failed(ProducerRecord<byte[], byte[]> record, Exception failure) {
    lost = failure;
    refusals.failed(record, failure, inTransactions);
  }

  @Override
  public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
    if (inTransactions) return super.send(record, callback);
    return super.send(
        record,
        (metadata, failure) -> {
          if (failure instanceof RetriableException) lost = failure;
          if (callback != null) callback.onCompletion(metadata, failure);
        });
  }

  /**
   * Waits until all records have been sent.
   *
   * @throws KafkaException without transactions, if a record was lost, before or during this call
   */
  @Override
  public void flush() {
    super.flush();
    Exception first = lost;
    if (first != null && !inTransactions) {
      throw new KafkaException("a sent record was not written", first);
    }
  }
}

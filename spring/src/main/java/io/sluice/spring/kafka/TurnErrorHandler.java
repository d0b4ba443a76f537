package io.sluice.spring.kafka;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.support.TopicPartitionOffset;

/**
 * Error handler of a Kafka listener container that pauses the partition of a record over its limit,
 * and passes all other failures to the application's error handler.
 *
 * <p>Without transactions, the container keeps such a record, and all records polled after it, in
 * memory. It pauses its consumer, continues to poll, and calls the listener again when the record's
 * partition is resumed. In a transaction the container cannot keep the records, so they are polled
 * again. If the commit of earlier records fails because the consumer did not poll for too long, the
 * container drops the records that it keeps. They have not failed, so they are polled again as
 * well.
 */
final class TurnErrorHandler implements CommonErrorHandler {
  private final CommonErrorHandler delegate;
  private final TurnListener<?, ?> listener;
  private final Pauses pauses;
  private final boolean transactional;

  TurnErrorHandler(
      CommonErrorHandler delegate,
      TurnListener<?, ?> listener,
      Pauses pauses,
      boolean transactional) {
    this.delegate = delegate;
    this.listener = listener;
    this.pauses = pauses;
    this.transactional = transactional;
  }

  @Override
  public boolean seeksAfterHandling() {
    return listener.isWaiting() ? transactional : delegate.seeksAfterHandling();
  }

  @Override
  public boolean handleOne(
      Exception thrown,
      ConsumerRecord<?, ?> record,
      Consumer<?, ?> consumer,
      MessageListenerContainer container) {
    listener.forgetWaiting();
    Optional<TurnException> turn = TurnException.in(thrown);
    if (turn.isEmpty()) return delegate.handleOne(thrown, record, consumer, container);
    listener.keepWaiting();
    pauses.hold(record, container, turn.get());
    return false;
  }

  @Override
  public void handleRemaining(
      Exception thrown,
      List<ConsumerRecord<?, ?>> records,
      Consumer<?, ?> consumer,
      MessageListenerContainer container) {
    boolean kept = listener.isKept();
    listener.forgetWaiting();
    if (kept && thrown instanceof CommitFailedException) { // commit of earlier, processed records
      Pauses.rewind(records, consumer);
      return;
    }
    Optional<TurnException> turn = TurnException.in(thrown);
    if (turn.isPresent()) {
      Pauses.rewind(records, consumer);
      throw turn.get(); // rolls the transaction back, so that no offset is committed
    }
    delegate.handleRemaining(thrown, records, consumer, container);
  }

  @Override
  public void handleOtherException(
      Exception thrown,
      Consumer<?, ?> consumer,
      MessageListenerContainer container,
      boolean batchListener) {
    delegate.handleOtherException(thrown, consumer, container, batchListener);
  }

  @Override
  public void handleBatch(
      Exception thrown,
      ConsumerRecords<?, ?> data,
      Consumer<?, ?> consumer,
      MessageListenerContainer container,
      Runnable invokeListener) {
    delegate.handleBatch(thrown, data, consumer, container, invokeListener);
  }

  @Override
  public <K, V> ConsumerRecords<K, V> handleBatchAndReturnRemaining(
      Exception thrown,
      ConsumerRecords<?, ?> data,
      Consumer<?, ?> consumer,
      MessageListenerContainer container,
      Runnable invokeListener) {
    return delegate.handleBatchAndReturnRemaining(
        thrown, data, consumer, container, invokeListener);
  }

  @Override
  public boolean deliveryAttemptHeader() {
    return delegate.deliveryAttemptHeader();
  }

  @Override
  public int deliveryAttempt(TopicPartitionOffset offset) {
    return delegate.deliveryAttempt(offset);
  }

  @Override
  public void clearThreadState() {
    delegate.clearThreadState();
  }

  @Override
  public boolean isAckAfterHandle() {
    return delegate.isAckAfterHandle();
  }

  @Override
  public void setAckAfterHandle(boolean acknowledge) {
    delegate.setAckAfterHandle(acknowledge);
  }

  @Override
  public void onPartitionsAssigned(
      Consumer<?, ?> consumer, Collection<TopicPartition> partitions, Runnable publishPause) {
    delegate.onPartitionsAssigned(consumer, partitions, publishPause);
  }
}

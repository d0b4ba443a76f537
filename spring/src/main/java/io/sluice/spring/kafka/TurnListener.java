package io.sluice.spring.kafka;

import io.sluice.spring.proxy.NotYet;
import java.util.Collection;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.springframework.kafka.listener.AcknowledgingConsumerAwareMessageListener;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.listener.adapter.AbstractDelegatingMessageListenerAdapter;
import org.springframework.kafka.support.Acknowledgment;

/** The outermost listener of a container, which tells apart failures and records that wait. */
final class TurnListener<K, V>
    extends AbstractDelegatingMessageListenerAdapter<MessageListener<K, V>>
    implements AcknowledgingConsumerAwareMessageListener<K, V> {
  private final ContainerCalls calls;
  private final Pauses pauses;
  private final OfferHeaders headers;
  private final ThreadLocal<Boolean> waiting = ThreadLocal.withInitial(() -> false);

  TurnListener(
      MessageListener<K, V> delegate, ContainerCalls calls, Pauses pauses, OfferHeaders headers) {
    super(delegate);
    this.calls = calls;
    this.pauses = pauses;
    this.headers = headers;
  }

  /** Whether the last record of this thread waits for its turn. */
  boolean isWaiting() {
    return waiting.get();
  }

  /** Nothing waits on this thread until a record does: the next may fail before it comes here. */
  void forgetWaiting() {
    waiting.set(false);
  }

  private void call(ConsumerRecord<K, V> record, Runnable call) {
    waiting.set(false);
    try {
      calls.make(call);
    } catch (NotYet e) {
      waiting.set(true);
      headers.takeOff(record.headers());
      throw new TurnException(e);
    }
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    super.onPartitionsRevoked(partitions);
    pauses.revoke(partitions);
  }

  @Override
  public void onMessage(
      ConsumerRecord<K, V> record, Acknowledgment acknowledgment, Consumer<?, ?> consumer) {
    call(
        record,
        () -> {
          switch (delegateType) {
            case ACKNOWLEDGING_CONSUMER_AWARE ->
                delegate.onMessage(record, acknowledgment, consumer);
            case ACKNOWLEDGING -> delegate.onMessage(record, acknowledgment);
            case CONSUMER_AWARE -> delegate.onMessage(record, consumer);
            case SIMPLE -> delegate.onMessage(record);
          }
        });
  }

  // The container calls the one that the innermost listener has.

  @Override
  public void onMessage(ConsumerRecord<K, V> record, Acknowledgment acknowledgment) {
    onMessage(record, acknowledgment, null);
  }

  @Override
  public void onMessage(ConsumerRecord<K, V> record, Consumer<?, ?> consumer) {
    onMessage(record, null, consumer);
  }

  @Override
  public void onMessage(ConsumerRecord<K, V> record) {
    onMessage(record, null, null);
  }
}

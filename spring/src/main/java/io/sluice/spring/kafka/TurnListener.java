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
  private final ThreadLocal<Last> last = ThreadLocal.withInitial(() -> Last.CALLED);

  /** What has become of the last record of a thread. */
  private enum Last {
    CALLED,
    REFUSED,
    KEPT
  }

  TurnListener(
      MessageListener<K, V> delegate, ContainerCalls calls, Pauses pauses, OfferHeaders headers) {
    super(delegate);
    this.calls = calls;
    this.pauses = pauses;
    this.headers = headers;
  }

  /** Whether the last record of this thread waits for its turn, as nobody knows yet. */
  boolean isWaiting() {
    return last.get() == Last.REFUSED;
  }

  /** The container keeps what waits, and all behind it, until it offers some of that again. */
  void keepWaiting() {
    last.set(Last.KEPT);
  }

  /** Whether what the container of this thread keeps is what waits, and all behind it. */
  boolean isKept() {
    return last.get() == Last.KEPT;
  }

  /** Nothing waits on this thread until a record does: the next may fail before it comes here. */
  void forgetWaiting() {
    last.set(Last.CALLED);
  }

  private void call(ConsumerRecord<K, V> record, Runnable call) {
    last.set(Last.CALLED);
    try {
      calls.make(call);
    } catch (NotYet e) {
      last.set(Last.REFUSED);
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

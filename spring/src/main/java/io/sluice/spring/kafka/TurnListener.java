package io.sluice.spring.kafka;

import io.sluice.spring.proxy.RetryLaterError;
import java.util.Collection;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.springframework.kafka.listener.AcknowledgingConsumerAwareMessageListener;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.listener.adapter.AbstractDelegatingMessageListenerAdapter;
import org.springframework.kafka.support.Acknowledgment;

/** Outermost listener of a container: distinguishes records that wait from failures. */
final class TurnListener<K, V>
    extends AbstractDelegatingMessageListenerAdapter<MessageListener<K, V>>
    implements AcknowledgingConsumerAwareMessageListener<K, V> {
  private final ContainerCalls calls;
  private final Pauses pauses;
  private final OfferHeaders headers;
  private final ThreadLocal<Last> last = ThreadLocal.withInitial(() -> Last.CALLED);

  /**
   * State of the last record of a thread: passed to the listener, refused until its turn, or kept
   * by the container.
   */
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

  /**
   * Whether the last record of this thread waits for its turn, and the error handler does not know
   * yet.
   */
  boolean isWaiting() {
    return last.get() == Last.REFUSED;
  }

  /**
   * Notes that the container keeps the waiting record and all after it, until it offers one of them
   * again.
   */
  void keepWaiting() {
    last.set(Last.KEPT);
  }

  /** Whether the container of this thread keeps a waiting record. */
  boolean isKept() {
    return last.get() == Last.KEPT;
  }

  /** Resets the state of this thread: the next record may fail before it reaches this listener. */
  void forgetWaiting() {
    last.set(Last.CALLED);
  }

  private void call(ConsumerRecord<K, V> record, Runnable call) {
    last.set(Last.CALLED);
    try {
      calls.make(call);
    } catch (RetryLaterError e) {
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

  // The container calls the variant that fits the type of the innermost listener.

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

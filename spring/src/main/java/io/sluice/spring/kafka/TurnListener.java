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

/**
 * Outermost listener of a Kafka listener container: passes records to the limited listener, and
 * distinguishes records that must wait for their limit from failures.
 */
final class TurnListener<K, V>
    extends AbstractDelegatingMessageListenerAdapter<MessageListener<K, V>>
    implements AcknowledgingConsumerAwareMessageListener<K, V> {
  private final ContainerCalls calls;
  private final Pauses pauses;
  private final OfferHeaders headers;
  private final ThreadLocal<Last> last = ThreadLocal.withInitial(() -> Last.CALLED);

  /**
   * Result of the last record on a consumer thread: passed to the listener; refused because it must
   * wait for its limit; or refused, and kept in memory by the container.
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
   * Whether the last record on the current consumer thread was refused because it must wait for its
   * limit, and the error handler has not yet handled this.
   */
  boolean isWaiting() {
    return last.get() == Last.REFUSED;
  }

  /**
   * Notes that the container keeps the refused record, and the records polled after it, in memory
   * until it calls the listener again.
   */
  void keepWaiting() {
    last.set(Last.KEPT);
  }

  /** Whether the container of the current consumer thread keeps a refused record in memory. */
  boolean isKept() {
    return last.get() == Last.KEPT;
  }

  /**
   * Forgets the result of the last record on the current consumer thread: the next record may fail
   * before it reaches this listener.
   */
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

  // All variants of onMessage are overridden, because the container calls the one that fits the
  // type of the innermost listener.

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

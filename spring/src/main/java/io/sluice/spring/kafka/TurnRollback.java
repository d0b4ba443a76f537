package io.sluice.spring.kafka;

import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.kafka.listener.AfterRollbackProcessor;
import org.springframework.kafka.listener.ContainerProperties.EOSMode;
import org.springframework.kafka.listener.DeliveryAttemptAware;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.support.TopicPartitionOffset;

/**
 * Processor that a Kafka listener container calls after a rollback: if a record is over its limit,
 * pauses the record's partition until the limit allows it; otherwise calls the application's own
 * processor.
 */
class TurnRollback<K, V> implements AfterRollbackProcessor<K, V> {
  private final AfterRollbackProcessor<? super K, ? super V> delegate;
  private final Pauses pauses;

  private TurnRollback(AfterRollbackProcessor<? super K, ? super V> delegate, Pauses pauses) {
    this.delegate = delegate;
    this.pauses = pauses;
  }

  static <K, V> TurnRollback<K, V> before(
      AfterRollbackProcessor<? super K, ? super V> delegate, Pauses pauses) {
    return delegate instanceof DeliveryAttemptAware attempts
        ? new Counting<>(delegate, attempts, pauses)
        : new TurnRollback<>(delegate, pauses);
  }

  /**
   * Variant for an application's processor that counts delivery attempts: the container asks only
   * processors of the type {@link DeliveryAttemptAware} for the count.
   */
  private static final class Counting<K, V> extends TurnRollback<K, V>
      implements DeliveryAttemptAware {
    private final DeliveryAttemptAware attempts;

    Counting(
        AfterRollbackProcessor<? super K, ? super V> delegate,
        DeliveryAttemptAware attempts,
        Pauses pauses) {
      super(delegate, pauses);
      this.attempts = attempts;
    }

    @Override
    public int deliveryAttempt(TopicPartitionOffset offset) {
      return attempts.deliveryAttempt(offset);
    }
  }

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"}) // raw types as in the container
  public void process(
      List<ConsumerRecord<K, V>> records,
      Consumer<K, V> consumer,
      MessageListenerContainer container,
      Exception thrown,
      boolean recoverable,
      EOSMode mode) {
    Optional<TurnException> turn = TurnException.in(thrown);
    if (turn.isPresent()) {
      Pauses.rewind(records, consumer);
      pauses.hold(records.get(0), container, turn.get());
    } else {
      ((AfterRollbackProcessor) delegate)
          .process(records, consumer, container, thrown, recoverable, mode);
    }
  }

  @Override
  public boolean isProcessInTransaction() {
    return delegate.isProcessInTransaction();
  }

  @Override
  public void clearThreadState() {
    delegate.clearThreadState();
  }
}

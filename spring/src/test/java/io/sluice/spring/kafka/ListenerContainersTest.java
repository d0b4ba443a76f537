package io.sluice.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.spring.settings.LimitMistakesException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DeliveryAttemptAware;
import org.springframework.kafka.listener.MessageListener;

/** Preparation of containers that are not started. */
class ListenerContainersTest {
  private final ListenerContainers containers = new ListenerContainers(new ContainerCalls());

  @AfterEach
  void close() {
    containers.close();
  }

  private static AbstractMessageListenerContainer<Object, Object> container(String id) {
    ContainerProperties properties = new ContainerProperties("orders");
    properties.setMessageListener((MessageListener<Object, Object>) record -> {});
    AbstractMessageListenerContainer<Object, Object> container =
        new ConcurrentMessageListenerContainer<>(
            new DefaultKafkaConsumerFactory<>(Map.of()), properties);
    container.setBeanName(id);
    return container;
  }

  @Test
  void whatIsChangedAfterAContainerIsMadeIsCheckedAsWell() {
    AbstractMessageListenerContainer<Object, Object> one = container("one");
    AbstractMessageListenerContainer<Object, Object> other = container("other");
    containers.postProcess(one);
    containers.postProcess(other);
    one.getContainerProperties().setFixTxOffsets(true);
    other.getContainerProperties().setAsyncAcks(true);
    Throwable thrown = catchThrowable(containers::start);
    assertThat(thrown).isInstanceOf(LimitMistakesException.class);
    assertThat(thrown.getMessage().lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("listener one: ").contains("fixTxOffsets"),
            line -> assertThat(line).startsWith("listener other: ").contains("asyncAcks"));
  }

  /** Otherwise the container would ask for attempts that the processor does not count. */
  @Test
  void onlyWhatCountsAttemptsIsAskedForThem() {
    AbstractMessageListenerContainer<Object, Object> counting = container("counting");
    AbstractMessageListenerContainer<Object, Object> other = container("other");
    other.setAfterRollbackProcessor((records, consumer, of, thrown, recoverable, mode) -> {});
    containers.postProcess(counting);
    containers.postProcess(other);
    containers.start();
    assertThat(counting.getAfterRollbackProcessor())
        .isInstanceOf(TurnRollback.class)
        .isInstanceOf(DeliveryAttemptAware.class);
    assertThat(other.getAfterRollbackProcessor())
        .isInstanceOf(TurnRollback.class)
        .isNotInstanceOf(DeliveryAttemptAware.class);
  }
}

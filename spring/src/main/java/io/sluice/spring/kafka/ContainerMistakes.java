package io.sluice.spring.kafka;

import io.sluice.spring.proxy.ListenerMethods;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.listener.adapter.AsyncRepliesAware;

/** Finds settings of a Kafka listener container with which records over a limit cannot wait. */
final class ContainerMistakes {
  private ContainerMistakes() {}

  /** Returns the mistakes in the settings of a listener container, one line each. */
  static List<String> of(AbstractMessageListenerContainer<?, ?> container) {
    List<String> problems = new ArrayList<>();
    ContainerProperties properties = container.getContainerProperties();
    if (!(properties.getMessageListener() instanceof MessageListener)) {
      problems.add(ListenerMethods.OF_BATCHES);
    }
    if (properties.isAsyncAcks() || isAsync(properties.getMessageListener())) {
      problems.add(
          "a limited @KafkaListener acknowledges records in their order: remove asyncAcks, and"
              + " methods of its class that return a future or a Mono");
    }
    if (commitsByItself(container)) {
      problems.add(
          "a limited @KafkaListener commits records when they are processed: remove"
              + " enable.auto.commit=true, which also commits waiting records");
    }
    if (properties.isFixTxOffsets()) {
      problems.add(
          "a limited @KafkaListener commits records when they are processed: remove fixTxOffsets,"
              + " which also commits waiting records");
    }
    return problems.stream()
        .map(problem -> "listener " + container.getListenerId() + ": " + problem)
        .toList();
  }

  private static boolean isAsync(Object listener) {
    return listener instanceof AsyncRepliesAware aware && aware.isAsyncReplies();
  }

  /**
   * Whether the consumer commits all polled records automatically, determined from the same
   * settings as in the container.
   */
  private static boolean commitsByItself(AbstractMessageListenerContainer<?, ?> container) {
    Properties own = container.getContainerProperties().getKafkaConsumerProperties();
    String overriding = own.getProperty(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG);
    if (overriding != null) return Boolean.parseBoolean(overriding);
    ConsumerFactory<?, ?> factory = factoryOf(container);
    return factory
            .getConfigurationProperties()
            .containsKey(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG)
        && factory.isAutoCommit();
  }

  /**
   * Returns the container's consumer factory, by reading its field because the accessor is
   * protected.
   */
  private static ConsumerFactory<?, ?> factoryOf(AbstractMessageListenerContainer<?, ?> container) {
    return (ConsumerFactory<?, ?>)
        new DirectFieldAccessor(container).getPropertyValue("consumerFactory");
  }
}

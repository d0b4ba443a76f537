package io.sluice.spring.kafka;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.DeliveryAttemptAware;
import org.springframework.kafka.support.KafkaHeaders;

/**
 * Names of the headers that a Kafka listener container adds to a record each time it passes the
 * record to the listener. A waiting record is passed several times as the same object, which would
 * collect these headers.
 */
record OfferHeaders(List<String> names) {
  /**
   * Returns the names of the headers that a container adds in its current configuration.
   *
   * @param transactional whether the rollback processor counts delivery attempts, instead of the
   *     error handler
   */
  static OfferHeaders of(AbstractMessageListenerContainer<?, ?> container, boolean transactional) {
    List<String> names = new ArrayList<>();
    if (container.getListenerInfo() != null) names.add(KafkaHeaders.LISTENER_INFO);
    if (container.getContainerProperties().isDeliveryAttemptHeader()
        && countsAttempts(container, transactional)) {
      names.add(KafkaHeaders.DELIVERY_ATTEMPT);
    }
    return new OfferHeaders(names);
  }

  /** Whether delivery attempts of a record are counted, determined as in the container. */
  private static boolean countsAttempts(
      AbstractMessageListenerContainer<?, ?> container, boolean transactional) {
    return transactional
        ? container.getAfterRollbackProcessor() instanceof DeliveryAttemptAware
        : container.getCommonErrorHandler().deliveryAttemptHeader();
  }

  /**
   * Removes the last header of each name, which the container has added; headers that the record
   * had before stay.
   */
  void takeOff(Headers headers) {
    for (String name : names) {
      List<Header> all = new ArrayList<>();
      headers.headers(name).forEach(all::add);
      headers.remove(name);
      all.stream().limit(Math.max(0, all.size() - 1)).forEach(headers::add);
    }
  }
}

package io.sluice.spring.kafka;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.DeliveryAttemptAware;
import org.springframework.kafka.support.KafkaHeaders;

/**
 * The headers that a container adds to a record whenever it offers it: to the same one in memory,
 * so one that waits would have more of them each time.
 */
record OfferHeaders(List<String> names) {
  /**
   * Those of a container as it is configured by now.
   *
   * @param transactional whether its rollback processor counts attempts, and not its error handler
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

  /** As the container finds it out. */
  private static boolean countsAttempts(
      AbstractMessageListenerContainer<?, ?> container, boolean transactional) {
    return transactional
        ? container.getAfterRollbackProcessor() instanceof DeliveryAttemptAware
        : container.getCommonErrorHandler().deliveryAttemptHeader();
  }

  /** Takes off those of the last offer, and none that the record came with. */
  void takeOff(Headers headers) {
    for (String name : names) {
      List<Header> all = new ArrayList<>();
      headers.headers(name).forEach(all::add);
      headers.remove(name);
      all.stream().limit(Math.max(0, all.size() - 1)).forEach(headers::add);
    }
  }
}

package io.sluice.spring.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.AfterRollbackProcessor;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.support.KafkaHeaders;

/** Removal of the headers that a container adds with each offer. */
class OfferHeadersTest {
  private final AbstractMessageListenerContainer<Object, Object> container = container();

  private static AbstractMessageListenerContainer<Object, Object> container() {
    ContainerProperties properties = new ContainerProperties("orders");
    properties.setDeliveryAttemptHeader(true);
    return new ConcurrentMessageListenerContainer<>(
        new DefaultKafkaConsumerFactory<>(Map.of()), properties);
  }

  /**
   * Returns the headers that remain of a record that came with a delivery attempt of another
   * container.
   */
  private Headers leftAfterAWait(boolean transactional) {
    Headers headers = new RecordHeaders();
    headers.add(KafkaHeaders.DELIVERY_ATTEMPT, "before".getBytes(UTF_8));
    OfferHeaders.of(container, transactional).takeOff(headers);
    return headers;
  }

  @Test
  void theAttemptIsTakenOffIfTheErrorHandlerCountsThem() {
    container.setCommonErrorHandler(new DefaultErrorHandler());
    assertThat(leftAfterAWait(false)).isEmpty();
  }

  @Test
  void aRecordKeepsTheAttemptItCameWithIfTheErrorHandlerCountsNone() {
    container.setCommonErrorHandler(new CommonErrorHandler() {});
    assertThat(leftAfterAWait(false)).hasSize(1);
  }

  @Test
  void inATransactionItIsTheRollbackProcessorThatCountsThem() {
    container.setCommonErrorHandler(new CommonErrorHandler() {});
    assertThat(leftAfterAWait(true)).isEmpty();
    container.setCommonErrorHandler(new DefaultErrorHandler());
    container.setAfterRollbackProcessor(countingNone());
    assertThat(leftAfterAWait(true)).hasSize(1);
  }

  private static AfterRollbackProcessor<Object, Object> countingNone() {
    return (records, consumer, of, thrown, recoverable, mode) -> {};
  }
}

package io.sluice.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.MessageListener;

/** Settings with which records cannot wait, in containers that are not started. */
class ContainerMistakesTest {
  private static final String AUTO_COMMIT = "enable.auto.commit";

  private static AbstractMessageListenerContainer<Object, Object> container(
      Map<String, Object> ofAll, Properties own) {
    ContainerProperties properties = new ContainerProperties("orders");
    properties.setMessageListener((MessageListener<Object, Object>) record -> {});
    properties.setKafkaConsumerProperties(own);
    return new ConcurrentMessageListenerContainer<>(
        new DefaultKafkaConsumerFactory<>(ofAll), properties);
  }

  private static void isMistake(boolean isOne, Map<String, Object> ofAll, Properties own) {
    assertThat(ContainerMistakes.of(container(ofAll, own))).hasSize(isOne ? 1 : 0);
  }

  private static Properties own(String value) {
    Properties own = new Properties();
    own.setProperty(AUTO_COMMIT, value);
    return own;
  }

  @Test
  void theConsumerPropertiesOfAContainerDecideWhetherItCommitsByItself() {
    isMistake(true, Map.of(), own("true"));
    isMistake(true, Map.of(AUTO_COMMIT, false), own("true"));
    isMistake(true, Map.of(AUTO_COMMIT, false), new Properties(own("true")));
    isMistake(false, Map.of(AUTO_COMMIT, true), own("false"));
    isMistake(false, Map.of(AUTO_COMMIT, true), new Properties(own("false")));
  }

  /** Kafka's default is to commit automatically, but the container turns it off. */
  @Test
  void withoutThemItsFactoryDoes() {
    isMistake(false, Map.of(), new Properties());
    isMistake(false, Map.of(AUTO_COMMIT, "false"), new Properties());
    isMistake(true, Map.of(AUTO_COMMIT, "true"), new Properties());
    isMistake(true, Map.of(AUTO_COMMIT, true), new Properties());
  }
}

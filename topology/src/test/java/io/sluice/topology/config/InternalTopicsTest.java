package io.sluice.topology.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.intake.Nodes;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that internal topics of Kafka Streams and Kafka are refused as topics of events. */
class InternalTopicsTest {
  private static final List<String> ROLES =
      List.of("input", "allowed", "rejected", "delayed", "dead-letter", "limits");

  private static Stream<String> internal() {
    return Stream.concat(
        Nodes.internalTopics("sluice").stream(), Nodes.internalTopics("another").stream());
  }

  @ParameterizedTest
  @MethodSource("internal")
  void whatKafkaStreamsWritesHasNoOtherRole(String topic) {
    for (String role : ROLES) {
      assertThat(ConfigText.mistakes("sluice.topics." + role + "=" + topic))
          .containsExactly(
              "sluice.topics."
                  + role
                  + "="
                  + topic
                  + ": "
                  + topic
                  + " is named like an internal topic of Kafka Streams; set another name");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"__consumer_offsets", "__transaction_state"})
  void whatKafkaWritesHasNoOtherRole(String topic) {
    assertThat(ConfigText.mistakes("sluice.topics.allowed=" + topic))
        .containsExactly(
            "sluice.topics.allowed="
                + topic
                + ": "
                + topic
                + " is an internal topic of Kafka; set another name");
  }

  /** A later release may have other stores, and Kafka treats dots and underscores as equal. */
  @ParameterizedTest
  @ValueSource(strings = {"a.b-anything-changelog", "a_b-limits-changelog", "a.b-x-repartition"})
  void aNameThatStreamsMightGiveIsRefused(String topic) {
    assertThat(ConfigText.mistakes("application.id=a.b", "sluice.topics.delayed=" + topic))
        .singleElement()
        .asString()
        .contains(": " + topic + " is named like an internal topic of Kafka Streams");
  }

  @Test
  void aNameThatIsMadeForAnInputIsRefused() {
    assertThat(
            ConfigText.mistakes(
                "sluice.topics.input=a,sluice-b", "sluice.topics.rejected={input}-changelog"))
        .singleElement()
        .asString()
        .contains("sluice-b-changelog is named like an internal topic of Kafka Streams");
  }

  @ParameterizedTest
  @ValueSource(strings = {"users-changelog", "sluice-allowed", "limits-changelog", "changelog"})
  void otherNamesStay(String topic) {
    assertThat(ConfigText.config("sluice.topics.allowed=" + topic).outputTopics()).contains(topic);
  }
}

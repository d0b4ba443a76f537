package io.sluice.topology.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.events.EventDecoder;
import io.sluice.rules.event.Origin;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutputTopicsTest {
  private static final List<String> INPUTS = List.of("sms", "sms-1", "sms-1-2", "post");

  @ParameterizedTest
  @CsvSource({
    "sms-0-17, sms",
    "sms-1-2, sms",
    "sms-1-2-3, sms-1",
    "sms-1-2-3-4, sms-1-2",
    "post-11-1234567890123, post",
    // origins that name no input topic
    "post-1, sms",
    "post-1-, sms",
    "post-1-2x, sms",
    "post--1-2, sms",
    "post-1-2-3, sms",
    "posts-1-2, sms",
    "delayed-actions-0-1, sms",
    "'', sms",
    "post, sms",
    "post-, sms"
  })
  void coordinatesTellTheTopicAndThoseOfNoInputTheFirst(String origin, String topic) {
    assertThat(INPUTS.get(EventDecoder.inputOf(INPUTS, Origin.parse(origin)))).isEqualTo(topic);
    OutputTopics outputs = OutputTopics.of("to-{input}", INPUTS);
    assertThat(outputs.of(Origin.parse(origin))).isEqualTo("to-" + topic);
    assertThat(outputs.ofInput(topic)).isEqualTo("to-" + topic);
  }

  @Test
  void aNameWithoutTheInputIsOneForAll() {
    assertThat(OutputTopics.of("out", INPUTS)).isEqualTo(OutputTopics.one("out"));
    assertThat(OutputTopics.one("out").of(Origin.of("post", 1, 2))).isEqualTo("out");
    assertThat(OutputTopics.one("out").ofInput("post")).isEqualTo("out");
  }
}

package io.sluice.rules.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OriginTest {
  @ParameterizedTest
  @CsvSource({"my-topic-3-0,0", "my-topic-3-17,17", "my.topic-3-17.2,17"})
  void theOffsetIsThatOfTheInputRecord(String text, long offset) {
    assertThat(Origin.parse(text).hasOffset()).isTrue();
    assertThat(Origin.parse(text).offset()).isEqualTo(offset);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "topic",
        "topic-0-",
        "topic-0-.1",
        "topic-0-0a1b",
        "topic-0-99999999999999999999"
      })
  void anyOtherTextHasNoOffset(String text) {
    assertThat(Origin.parse(text).hasOffset()).isFalse();
  }

  @Test
  void theOffsetOfARecordIsKnown() {
    assertThat(Origin.of("topic", 0, 5).offset()).isEqualTo(5);
  }
}

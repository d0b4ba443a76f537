package io.sluice.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordPositionTest {
  @Test
  void topicsMayContainDashesAndDigits() {
    assertThat(RecordPosition.parse("user-actions-3-17"))
        .contains(new RecordPosition("user-actions", 3, 17));
    assertThat(RecordPosition.parse("a-1-0-5")).contains(new RecordPosition("a-1", 0, 5));
    assertThat(RecordPosition.parse("a-2147483647-9223372036854775807"))
        .contains(new RecordPosition("a", Integer.MAX_VALUE, Long.MAX_VALUE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "user-actions",
        "user-actions-0",
        "-0-1",
        "a-0-",
        "a-0-1.5",
        "a-0-1 ",
        "a-2147483648-0",
        "a-0-9223372036854775808",
        "a-\u0660-1"
      })
  void otherTextsAreNoPositions(String text) {
    assertThat(RecordPosition.parse(text)).isEmpty();
  }
}

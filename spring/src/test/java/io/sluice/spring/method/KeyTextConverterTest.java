package io.sluice.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Equal keys have equal texts, and different keys different ones. */
class KeyTextConverterTest {
  @Test
  void valuesOfOneFieldAreJoinedSoThatOthersMakeAnotherText() {
    assertThat(KeyTextConverter.values(List.of("a|b", "c"), 1))
        .isNotEqualTo(KeyTextConverter.values(List.of("a", "b|c"), 1))
        .isNotEqualTo(KeyTextConverter.values(List.of("a", "b", "c"), 1));
    assertThat(KeyTextConverter.values("a|b", 1)).containsExactly("a|b"); // the same as in a stream
  }

  @Test
  void aLimitWithSeveralFieldsTakesAsManyValues() {
    assertThat(KeyTextConverter.values(List.of("ada", 7), 2)).containsExactly("ada", "7");
    assertThat(problem(List.of("ada"), 2)).isEqualTo("1 values, but the limit's key has 2 fields");
    assertThat(problem("ada", 2)).isEqualTo("one value, but the limit's key has 2 fields");
  }

  @Test
  void whatHasNoTextIsNoKey() {
    assertThat(problem(null, 1)).isEqualTo("null");
    assertThat(problem(Optional.empty(), 1)).isEqualTo("null");
    assertThat(problem(Arrays.asList("a", null), 1)).isEqualTo("null");
    assertThat(problem(new byte[] {1}, 1))
        .isEqualTo("a byte[], which has no toString() of its own");
    assertThat(problem(new Object(), 1)).isEqualTo("a Object, which has no toString() of its own");
    assertThat(KeyTextConverter.values(Optional.of("ada"), 1)).containsExactly("ada");
  }

  private static String problem(Object value, int fields) {
    return catchThrowable(() -> KeyTextConverter.values(value, fields)).getMessage();
  }
}

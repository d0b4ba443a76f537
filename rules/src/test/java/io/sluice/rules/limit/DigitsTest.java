package io.sluice.rules.limit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DigitsTest {
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 9, 10, 11, 99, 100, 1_700_000_000_000L, Long.MAX_VALUE, -1, -10})
  void areThoseOfTheText(long number) {
    assertThat(VerdictHeaders.digits(number)).asString().isEqualTo(Long.toString(number));
  }
}

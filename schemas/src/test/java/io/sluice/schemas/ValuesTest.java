package io.sluice.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {
  @ParameterizedTest
  @CsvSource({
    "42, 42",
    "42.0, 42",
    "4.2e1, 42",
    "420e-1, 42",
    "-0.0, 0",
    "0e999999999, 0",
    "9223372036854775807, 9223372036854775807",
    "-9223372036854775808.00, -9223372036854775808",
    "1e18, 1000000000000000000"
  })
  void aWholeNumberIsALongHoweverItIsWritten(String text, long number) {
    assertThat(Values.number(text)).isEqualTo(number);
  }

  @ParameterizedTest
  @CsvSource({
    "1.50, 1.5",
    "-0.25, -0.25",
    "15e-1, 1.5",
    "9223372036854775808, 9223372036854775808",
    "1e20, 100000000000000000000",
    "1e-7, 0.0000001"
  })
  void anotherNumberHasOneForm(String text, String form) {
    assertThat(Values.number(text)).isEqualTo(new Values.Decimal(form, true)).hasToString(form);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e999999999", "1e500000000", "1e-999999999", "1e101", "1e1x"})
  void aNumberIsNotWrittenOutAtAnyLength(String text) {
    assertThat(Values.number(text)).isEqualTo(new Values.Decimal(text, false));
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "Infinity", "x"})
  void otherTextStays(String text) {
    assertThat(Values.number(text)).isEqualTo(new Values.Decimal(text, true));
  }

  @Test
  void oneNumberHasOneFormAtAnyLength() {
    for (int zeros : new int[] {1, 99, 5_000, 1_000_000}) {
      assertThat(Values.number("42." + "0".repeat(zeros))).isEqualTo(42L);
      assertThat(Values.number("-0." + "0".repeat(zeros))).isEqualTo(0L);
      assertThat(Values.number("0.5" + "0".repeat(zeros))).hasToString("0.5");
    }
    String long42 = "0." + "0".repeat(98) + "42e100";
    assertThat(Values.number(long42)).isEqualTo(new Values.Decimal(long42, false));
    assertThat(Values.number("0.0042e4")).isEqualTo(42L);
  }

  @Test
  void aTimeIsTextWithoutItsUnit() {
    assertThat(new Values.Timestamp(7, 1_000, false)).hasToString("7");
    assertThat(new Values.Structure(true, 2).kind()).isEqualTo("a list");
    assertThat(new Values.Structure(false, 2).kind()).isEqualTo("an object");
  }
}

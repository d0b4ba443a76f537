package io.sluice.spring.method;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;

/** Valid and invalid costs. */
class CostSourceTest {
  @Test
  void aWholeNumberOfAtLeast1IsOne() {
    assertThat(CostSource.permits(1)).hasValue(1);
    assertThat(CostSource.permits(Long.MAX_VALUE)).hasValue(Long.MAX_VALUE);
    assertThat(CostSource.permits(2.0)).hasValue(2);
    assertThat(CostSource.permits(new BigDecimal("3.00"))).hasValue(3);
    assertThat(CostSource.permits(BigInteger.TEN)).hasValue(10);
  }

  @Test
  void allElseIsNone() {
    assertThat(CostSource.permits(0)).isEmpty();
    assertThat(CostSource.permits(-1)).isEmpty();
    assertThat(CostSource.permits(0.5)).isEmpty();
    assertThat(CostSource.permits(Double.NaN)).isEmpty();
    assertThat(CostSource.permits(new BigDecimal("1e1000000000"))).isEmpty();
    assertThat(CostSource.permits(BigInteger.ONE.shiftLeft(10_000_000))).isEmpty();
    assertThat(CostSource.permits("5")).isEmpty();
    assertThat(CostSource.permits(null)).isEmpty();
  }

  @Test
  void aMistakeDoesNotRepeatALongText() {
    assertThat(CostSource.shown("x".repeat(100_000))).isEqualTo("too long");
    assertThat(CostSource.shown(BigInteger.ONE.shiftLeft(10_000_000))).isEqualTo("too long");
    assertThat(CostSource.shown(0.5)).isEqualTo("0.5");
  }
}

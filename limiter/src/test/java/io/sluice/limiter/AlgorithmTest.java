package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AlgorithmTest {
  private static final Quota QUOTA = Quota.parse("5/60s");

  private static void areDistinct(Function<Algorithm, Object> property) {
    assertThat(Arrays.stream(Algorithm.values()).map(property)).doesNotHaveDuplicates();
  }

  @Test
  void noTwoShareWhatTheirStatesAreToldApartBy() {
    areDistinct(each -> each.traits().letter());
    areDistinct(each -> each.script().name());
    areDistinct(each -> each.script().code());
    areDistinct(each -> each.script().keyVersion());
  }

  @ParameterizedTest
  @EnumSource
  void itIsFoundByTheLetterOfItsRows(Algorithm algorithm) {
    assertThat(Algorithm.ofLetter(algorithm.traits().letter())).contains(algorithm);
    byte old = (byte) Character.toLowerCase((char) algorithm.traits().letter());
    assertThat(Algorithm.ofLetter(old)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aRuleAsksNothingOfItThatItCannotDo(Algorithm algorithm) {
    accepts(algorithm.canReserve(), () -> new Rule("a", QUOTA, algorithm, 1, false, false));
    accepts(algorithm.canCountAttempts(), () -> new Rule("a", QUOTA, algorithm, 0, true, false));
  }

  private static void accepts(boolean can, ThrowingCallable rule) {
    if (can) assertThatCode(rule).doesNotThrowAnyException();
    else assertThatIllegalArgumentException().isThrownBy(rule);
  }
}

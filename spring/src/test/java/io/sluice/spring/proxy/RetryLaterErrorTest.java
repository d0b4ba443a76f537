package io.sluice.spring.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RetryLaterErrorTest {
  @Test
  void itsWaitIsRoundedUp() {
    RetryLaterError later = new RetryLaterError(Duration.ofNanos(333_334_000), () -> false);
    assertThat(later.patienceMs()).isEqualTo(334);
    assertThat(later).hasMessage("over the limit for another 334 ms");
  }
}

package io.sluice.spring.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.junit.jupiter.api.Test;

/** Accepted versions of Spring Boot. */
class BootVersionCheckTest {
  @Test
  void anUntestedGenerationOfSpringBootIsAMistake() {
    BootVersionCheck.check("4.1.2");
    BootVersionCheck.check("4.0.9");
    assertThat(catchThrowable(() -> BootVersionCheck.check("4.2.0")))
        .hasMessage(
            "Spring Boot 4.2.0: not tested with this release of Sluice; accepted is 3.5, 4.0, 4.1");
    assertThat(catchThrowable(() -> BootVersionCheck.check("2.7.18"))).isNotNull();
  }
}

package io.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BrokerSettingsTest {

  @Test
  void aCallersSettingIsTakenBeforeTheDefault() {
    assertThat(BrokerSettings.of(1, 2, Path.of("data"), Map.of("num.io.threads", "3"), Users.NONE))
        .containsEntry("num.io.threads", "3")
        .containsEntry("num.network.threads", "2")
        .containsEntry("advertised.listeners", "PLAINTEXT://127.0.0.1:1");
  }

  @Test
  void whatMakesTheBrokerOursIsRefused() {
    assertThatThrownBy(() -> EmbeddedKafka.builder().settings(Map.of("log.dirs", "/elsewhere")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("log.dirs=/elsewhere");
  }

  @Test
  void usersNeedAnAdministrator() {
    assertThatThrownBy(() -> EmbeddedKafka.builder().users(Map.of("ann", "secret")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("admin");
  }
}

package io.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 3, unit = TimeUnit.MINUTES)
class BrokerIT {

  /**
   * If the controller's port is taken, Kafka halts the JVM; if the broker's port is taken, it
   * throws.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPortThatIsLostAtTheLastMomentIsToldApartFromOtherFaults(
      boolean controllers, @TempDir Path data) throws Exception {
    int free = LocalPort.startOn(0, BrokerIT::free);
    try (ServerSocket taken = new ServerSocket()) {
      taken.bind(LocalPort.address(0));
      Properties settings =
          controllers
              ? BrokerSettings.of(free, taken.getLocalPort(), data, Map.of(), Users.NONE)
              : BrokerSettings.of(taken.getLocalPort(), free, data, Map.of(), Users.NONE);

      assertThatThrownBy(() -> Broker.start("the broker", 1, data, settings, Map.of(), Map.of()))
          .isInstanceOf(PortTakenException.class)
          .hasMessageContaining("Address already in use");
    }
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(BrokerThread.allThatHoldTheJvm()).isEmpty());
    free(free);
  }

  private static int free(int port) {
    LocalPort.requireFree("the broker", port);
    return port;
  }
}

package io.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LocalPortTest {

  @Test
  void aPortThatIsTakenSaysSoInOneLine() throws IOException {
    try (ServerSocket taken = new ServerSocket()) {
      taken.bind(LocalPort.address(0));
      int port = taken.getLocalPort();

      assertThatThrownBy(() -> LocalPort.requireFree("the server", port))
          .isInstanceOf(EmbeddedStartException.class)
          .hasMessage("the server could not listen on 127.0.0.1:%d: Address already in use", port);
    }
  }

  @Test
  void twoPortsThatAreTheSameAreNotFree() {
    assertThatThrownBy(
            () ->
                LocalPort.startOn(
                    0,
                    port -> {
                      LocalPort.requireFree("the server", port);
                      LocalPort.requireFree("the server", port, port);
                      return port;
                    }))
        .isInstanceOf(PortTakenException.class);
  }

  @Test
  void anotherPortIsChosenWhenOneIsTaken() {
    List<Integer> tried = new ArrayList<>();

    int port =
        LocalPort.startOn(
            0,
            chosen -> {
              tried.add(chosen);
              if (tried.size() < 3) throw new PortTakenException("the server", chosen, "taken");
              return chosen;
            });

    assertThat(tried).hasSize(3).endsWith(port);
  }

  @Test
  void aGivenPortIsTheOnlyOneTried() {
    List<Integer> tried = new ArrayList<>();

    assertThatThrownBy(
            () ->
                LocalPort.startOn(
                    9092,
                    given -> {
                      tried.add(given);
                      throw new PortTakenException("the server", given, "taken");
                    }))
        .isInstanceOf(PortTakenException.class);
    assertThat(tried).containsExactly(9092);
  }
}

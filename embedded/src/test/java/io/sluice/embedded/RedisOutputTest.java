package io.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RedisOutputTest {
  private final RedisOutput output = new RedisOutput();

  @Test
  void theReasonForNotListeningIsFoundAmongOtherLines() {
    output.add("4487:C 21 Nov 2026 08:46:33.734 # Configuration loaded");
    output.add(
        "4487:M 21 Nov 2026 08:46:33.735 # Warning: Could not create server TCP listening socket"
            + " 127.0.0.1:17002: bind: Address already in use");
    output.add("4487:M 21 Nov 2026 08:46:33.735 # Failed listening on port 17002 (TCP), aborting.");

    assertThat(output.whyNotListening()).contains("Address already in use");
  }

  @Test
  void aRefusedSettingIsNamedWithTheReason() {
    output.add("");
    output.add("*** FATAL CONFIG FILE ERROR (Redis 7.0.15) ***");
    output.add("Reading the configuration file, at line 4");
    output.add(">>> 'foo \"bar\"'");
    output.add("Bad directive or wrong number of arguments");

    assertThat(output.lastWords())
        .isEqualTo("'foo \"bar\"': Bad directive or wrong number of arguments");
    assertThat(output.whyNotListening()).isEmpty();
  }

  @Test
  void otherwiseTheLastLineIsTheReasonWithoutItsPrefix() {
    output.add("4490:C 21 Nov 2026 08:46:33.749 # Can't chdir to '/x': No such file or directory");
    output.add("");

    assertThat(output.lastWords()).isEqualTo("Can't chdir to '/x': No such file or directory");
  }

  @Test
  void silenceIsToldAsSuch() {
    assertThat(output.lastWords()).isEqualTo("it printed nothing");
  }
}

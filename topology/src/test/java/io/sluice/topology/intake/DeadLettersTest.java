package io.sluice.topology.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class DeadLettersTest {
  @Test
  void whatIsWrongIsSaidInOneLineWhateverItQuotes() {
    assertThat(said("no number: 1\r\n2\u0000\t3")).isEqualTo("no number: 1 2 3");
  }

  @Test
  void whatIsWrongIsSaidInFewWordsHoweverLongWhatItQuotesIs() {
    assertThat(said("no number: " + "9".repeat(1_000_000))).hasSize(503).endsWith("99...");
  }

  private static String said(String fault) {
    EventRecord event = new EventRecord(new byte[0]);
    event.faulty(new UnreadableEventException(fault), Origin.of("user-actions", 0, 1), 0);
    RecordHeaders headers = new RecordHeaders();
    DeadLetters.mark(headers, event.fault().orElseThrow(), DeadLetters.MOST_CHARACTERS);
    return new String(headers.lastHeader("sluice-error").value(), UTF_8);
  }
}

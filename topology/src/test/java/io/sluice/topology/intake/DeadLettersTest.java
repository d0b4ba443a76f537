package io.sluice.topology.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
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

  @Test
  void theReasonIsNamedAsInTheMetric() {
    RecordHeaders headers =
        marked(new UnreadableEventException(FaultKind.INVALID_FIELD, "cost must be at least 1"));
    assertThat(text(headers, "sluice-error-reason")).isEqualTo("invalid-field");
    assertThat(text(headers, "sluice-error-origin")).isEqualTo("user-actions-0-1");
  }

  private static String said(String fault) {
    return text(marked(new UnreadableEventException(fault)), "sluice-error");
  }

  private static RecordHeaders marked(UnreadableEventException fault) {
    EventRecord event = new EventRecord(new byte[0]);
    event.faulty(fault, Origin.of("user-actions", 0, 1), 0);
    RecordHeaders headers = new RecordHeaders();
    DeadLetters.mark(headers, event.fault().orElseThrow(), DeadLetters.MOST_CHARACTERS);
    return headers;
  }

  private static String text(RecordHeaders headers, String name) {
    return new String(headers.lastHeader(name).value(), UTF_8);
  }
}

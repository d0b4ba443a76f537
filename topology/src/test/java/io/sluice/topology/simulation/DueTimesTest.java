package io.sluice.topology.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.topology.TestEvent;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.simulation.Simulation.DueTimes;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class DueTimesTest {
  private static final SluiceConfig CONFIG =
      SluiceConfig.of(
          Map.of(
              "bootstrap.servers", "localhost:9092",
              "application.id", "test",
              "sluice.limits", "post",
              "sluice.limit.post.quota", "1/2s"));

  private final DueTimes due = new DueTimes();

  private static SimulatedVerdict verdict(long offset, String... headers) {
    RecordHeaders all = new RecordHeaders();
    for (int i = 0; i < headers.length; i += 2) {
      all.add(headers[i], headers[i + 1].getBytes(StandardCharsets.UTF_8));
    }
    return new SimulatedVerdict(offset, TestEvent.event("ann", "post", ""), all, CONFIG.limits());
  }

  private static SimulatedVerdict delayed(long offset, long untilMs) {
    return verdict(offset, "sluice-verdict", "delayed", "sluice-release-at-ms", "" + untilMs);
  }

  private static SimulatedVerdict allowed(long offset) {
    return verdict(offset, "sluice-verdict", "allowed");
  }

  @Test
  void theEarliestThatIsDueComesFirst() {
    due.note(delayed(1, 5_000));
    due.note(allowed(2));
    due.note(delayed(3, 2_000));
    assertThat(due.held()).isEqualTo(2);
    assertThat(due.nextMs(0)).isEqualTo(2_000);
    due.passed(2_000);
    due.note(allowed(3));
    assertThat(due.nextMs(2_000)).isEqualTo(5_000);
    due.passed(5_000);
    due.note(allowed(1));
    assertThat(due.held()).isZero();
  }

  @Test
  void whatIsOverdueIsLookedAtEveryMillisecond() {
    due.note(delayed(1, 2_000));
    due.note(delayed(2, 9_000));
    due.passed(2_000);
    assertThat(due.nextMs(2_000)).isEqualTo(2_001);
    due.passed(2_001);
    due.note(allowed(1));
    assertThat(due.nextMs(2_001)).isEqualTo(9_000);
  }

  @Test
  void whatIsDelayedAgainIsDueAgain() {
    due.note(delayed(1, 2_000));
    due.passed(2_000);
    due.note(delayed(1, 4_000));
    assertThat(due.held()).isEqualTo(1);
    assertThat(due.nextMs(2_000)).isEqualTo(4_000);
  }

  @Test
  void whatNeverComesIsAnErrorAndNoEndlessWait() {
    due.note(delayed(1, 2));
    assertThatThrownBy(
            () -> {
              for (long t = 2; t < 2_000_000; t++) due.passed(t);
            })
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("never released");
  }
}

package io.sluice.runtime.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.streams.KafkaStreams.State;
import org.junit.jupiter.api.Test;

class HealthTest {
  private final Health health = new Health();

  @Test
  void notesOnLimitsLeaveTheInstanceReady() {
    health.changed(State.RUNNING);
    health.limitsAsOf("limits as of noon");
    assertThat(health.ready()).isEqualTo(new Health.Answer(true, "ready; limits as of noon"));
    health.limitsDiffer("others differ");
    assertThat(health.ready().says()).isEqualTo("ready; limits as of noon; others differ");
    health.limitsAsOf("");
    health.limitsDiffer("");
    assertThat(health.ready().says()).isEqualTo("ready");
  }
}

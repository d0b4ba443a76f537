package io.sluice.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.runtime.monitoring.Health;
import io.sluice.testing.LogLines;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.KafkaStreams.State;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BrokerWatchTest {
  private final Map<MetricName, Metric> metrics = new HashMap<>();
  private final Health health = new Health();
  private Instant now = Instant.parse("2026-01-02T03:04:05.678Z");
  private final BrokerWatch watch = new BrokerWatch(() -> metrics, "kafka:9092", health, () -> now);
  private final LogLines log = LogLines.of(BrokerWatch.class);

  @AfterEach
  void close() {
    log.close();
    watch.close();
  }

  private void say(String client, String metric, double value) {
    MetricName name = new MetricName(metric, "consumer-metrics", "", Map.of("client-id", client));
    metrics.put(
        name,
        new Metric() {
          @Override
          public MetricName metricName() {
            return name;
          }

          @Override
          public Object metricValue() {
            return value;
          }
        });
  }

  private void look(int times) {
    for (int i = 0; i < times; i++) watch.look();
  }

  @Test
  void noAnswerIsSaidOnceAndTheNextOneOnce() {
    say("a", "response-total", 7);
    look(1);
    say("a", "connection-close-total", 1);
    look(100);
    assertThat(log.lines())
        .containsExactly(
            "WARN no broker has answered for 12 s (bootstrap.servers=kafka:9092): nothing is lost,"
                + " events wait");
    say("a", "response-total", 8);
    look(100);
    assertThat(log.lines()).hasSize(2);
    assertThat(log.lines().get(1)).isEqualTo("INFO a broker answers again, after 200 s");
  }

  @Test
  void healthFollows() {
    health.changed(State.RUNNING);
    say("a", "response-total", 7);
    look(1);
    say("a", "connection-close-total", 1);
    now = now.plusSeconds(10);
    look(BrokerWatch.LOOKS_IN_VAIN - 1);
    assertThat(health.ready().well()).isTrue();
    look(1);
    assertThat(health.ready().well()).isFalse();
    assertThat(health.ready().says())
        .isEqualTo("no broker has answered since 2026-01-02T03:04:05Z: events wait");
    assertThat(health.live().well()).isTrue();
    say("a", "response-total", 8);
    look(1);
    assertThat(health.ready().well()).isTrue();
  }

  @Test
  void oneWhoWaitsForOthersToJoinHearsNothingEither() {
    say("a", "response-total", 7);
    say("a", "connection-close-total", 3);
    look(100);
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void aClientThatTakesAnothersPlaceIsNoAnswer() {
    say("a", "response-total", 7);
    say("a", "connection-close-total", 5);
    look(1);
    metrics.clear();
    say("b", "response-total", 0);
    say("b", "connection-close-total", 0);
    look(1);
    say("b", "connection-close-total", 2);
    look(BrokerWatch.LOOKS_IN_VAIN);
    assertThat(log.lines()).hasSize(1);
  }
}

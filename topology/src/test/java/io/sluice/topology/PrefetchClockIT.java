package io.sluice.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.Sluice.Intake;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Events are judged by the same clock when Redis is asked about a whole poll as when it is asked
 * about each as it is processed, also after a restart: every header comes out the same.
 */
class PrefetchClockIT {
  private static final long START_MS = 1_790_000_000_000L;
  private static final int EVENTS = 3_000;
  private static final int USERS = 20;

  private final Servers servers = Servers.shared();

  @ParameterizedTest
  @ValueSource(strings = {"funnel", "sliding-window-log"})
  void everyVerdictIsTheSame(String algorithm) throws Exception {
    assertThat(verdicts(algorithm, Intake.PREFETCHED))
        .hasSize(EVENTS)
        .isEqualTo(verdicts(algorithm, Intake.ONE_BY_ONE));
  }

  private Map<String, String> verdicts(String algorithm, Intake intake) throws Exception {
    SluiceConfig config =
        SluiceConfig.of(
            servers.settings(
                "sluice.limits=measured",
                "sluice.limit.measured.quota=5/10s",
                "sluice.limit.measured.algorithm=" + algorithm,
                "sluice.limit.measured.backend=redis",
                "sluice.redis.timeout=2s",
                "sluice.topics.partitions=2"));
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < EVENTS; i++) {
      String user = "user" + random.nextInt(USERS);
      long lateMs = random.nextInt(3) == 0 ? random.nextInt(8_000) : 0;
      keys.add(user.getBytes(UTF_8));
      values.add(
          "{\"eventId\":\"e%04d\",\"userId\":\"%s\",\"action\":\"post\",\"occurredAt\":%d}"
              .formatted(i, user, START_MS + 50L * i - lateMs)
              .getBytes(UTF_8));
    }
    List<ConsumerRecord<byte[], byte[]>> out = List.of();
    for (int end : List.of(EVENTS / 2, EVENTS)) {
      try (Sluice sluice = Sluice.start(config, intake)) {
        assertThat(sluice.awaitRunning()).isTrue();
        int begin = end - EVENTS / 2;
        servers.publish(
            config.inputTopics().get(0), keys.subList(begin, end), values.subList(begin, end));
        out = servers.read(config.outputTopics(), read -> read.size() >= end);
      }
    }
    Map<String, String> verdicts = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> record : out) {
      StringBuilder headers = new StringBuilder();
      for (String name : List.of("verdict", "remaining", "retry-after-ms", "reset-after-ms")) {
        headers
            .append(name)
            .append('=')
            .append(Servers.header(record, "sluice-" + name))
            .append(' ');
      }
      verdicts.put(new String(record.value(), UTF_8), headers.toString());
    }
    return verdicts;
  }
}

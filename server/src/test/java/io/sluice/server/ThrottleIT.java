package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of the application with a real broker, exactly once and read committed, and a real Redis.
 */
class ThrottleIT {
  private static final String[] LIMITS = {
    "sluice.limits=funnel,log,counter,rlog",
    "sluice.limit.funnel.match.action=funnel",
    "sluice.limit.funnel.quota=5/60s",
    "sluice.limit.log.match.action=log",
    "sluice.limit.log.quota=5/60s",
    "sluice.limit.log.algorithm=sliding-window-log",
    "sluice.limit.counter.match.action=counter",
    "sluice.limit.counter.quota=5/60s",
    "sluice.limit.counter.algorithm=sliding-window-counter",
    "sluice.limit.rlog.match.action=rlog",
    "sluice.limit.rlog.quota=5/60s",
    "sluice.limit.rlog.algorithm=sliding-window-log",
    "sluice.limit.rlog.backend=redis",
    "num.stream.threads=2"
  };
  private static final List<String> ACTIONS = List.of("funnel", "log", "counter", "rlog");

  private final Servers servers = Servers.shared();

  static Stream<String> recordKeys() {
    return Servers.variants("userId", "none", "random");
  }

  @ParameterizedTest
  @MethodSource("recordKeys")
  void anyRecordKeyGivesExactlyTheQuotaOverSixPartitions(String keyedBy) throws Exception {
    Map<String, String> settings = servers.settings(LIMITS);
    SplittableRandom random = new SplittableRandom(42);
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    int users = 10;
    for (int i = 0; i < 20; i++) {
      for (int user = 0; user < users; user++) {
        for (String action : ACTIONS) {
          keys.add(key(keyedBy, "user" + user, random));
          values.add(event("user" + user, action, 1_790_000_000_000L));
        }
      }
    }
    List<ConsumerRecord<byte[], byte[]>> out = run(settings, keys, values);

    assertThat(out).hasSize(values.size());
    for (String action : ACTIONS) {
      for (int user = 0; user < users; user++) {
        String of = "\"userId\":\"user" + user + "\",\"action\":\"" + action + "\"";
        assertThat(
                out.stream().filter(each -> text(each).contains(of)).filter(ThrottleIT::isAllowed))
            .as("%s, keyed by %s", of, keyedBy)
            .hasSize(5);
      }
    }
  }

  @Test
  void aHopLeavesKeyBytesHeadersAndTimestampAlone() throws Exception {
    Map<String, String> settings = servers.settings(LIMITS);
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      keys.add(("key" + i).getBytes(StandardCharsets.UTF_8));
      values.add(
          ("{\"userId\" : \"u" + i + "\", \"action\":\"log\"}").getBytes(StandardCharsets.UTF_8));
    }
    for (ConsumerRecord<byte[], byte[]> out : run(settings, keys, values)) {
      String number = new String(out.key(), StandardCharsets.UTF_8).substring(3);
      assertThat(text(out)).isEqualTo("{\"userId\" : \"u" + number + "\", \"action\":\"log\"}");
      assertThat(isAllowed(out)).isTrue();
      assertThat(out.headers().lastHeader("sluice-origin")).isNull();
    }
  }

  @Test
  void deadLettersKeepTheirBytesAndTheStreamGoesOn() throws Exception {
    Map<String, String> settings = servers.settings(LIMITS);
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    for (String value : List.of("garbage", "{\"userId\":", "{\"action\":\"log\"}")) {
      keys.add("ann".getBytes(StandardCharsets.UTF_8));
      values.add(value.getBytes(StandardCharsets.UTF_8));
    }
    keys.add("ann".getBytes(StandardCharsets.UTF_8));
    values.add(event("ann", "log", 1_790_000_000_000L));
    List<ConsumerRecord<byte[], byte[]>> out = run(settings, keys, values);
    List<ConsumerRecord<byte[], byte[]>> dead =
        out.stream().filter(each -> each.topic().endsWith("dead-letter")).toList();
    assertThat(dead.stream().map(ThrottleIT::text))
        .containsExactlyInAnyOrder("garbage", "{\"userId\":", "{\"action\":\"log\"}");
    assertThat(dead)
        .allSatisfy(each -> assertThat(Servers.header(each, "sluice-error")).isNotEmpty());
    assertThat(out.stream().filter(ThrottleIT::isAllowed)).hasSize(1);
  }

  private List<ConsumerRecord<byte[], byte[]>> run(
      Map<String, String> settings, List<byte[]> keys, List<byte[]> values) throws Exception {
    SluiceConfig config = SluiceConfig.of(settings);
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      servers.publish(config.inputTopics().get(0), keys, values);
      return servers.read(config.outputTopics(), read -> read.size() >= values.size());
    }
  }

  private static byte[] key(String keyedBy, String user, SplittableRandom random) {
    return switch (keyedBy) {
      case "userId" -> user.getBytes(StandardCharsets.UTF_8);
      case "none" -> null;
      default -> Long.toString(random.nextLong()).getBytes(StandardCharsets.UTF_8);
    };
  }

  private static byte[] event(String user, String action, long occurredAtMs) {
    return ("{\"userId\":\""
            + user
            + "\",\"action\":\""
            + action
            + "\",\"occurredAt\":"
            + occurredAtMs
            + "}")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String text(ConsumerRecord<byte[], byte[]> record) {
    return new String(record.value(), StandardCharsets.UTF_8);
  }

  private static boolean isAllowed(ConsumerRecord<byte[], byte[]> record) {
    return Servers.header(record, "sluice-verdict").equals("allowed");
  }
}

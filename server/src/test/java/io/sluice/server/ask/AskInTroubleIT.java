package io.sluice.server.ask;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.server.Sluice;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/**
 * Tests of queries while an instance starts, restores state, or waits for Redis: they are answered,
 * or fail with the reason.
 */
class AskInTroubleIT {
  private static final int USERS = 1_000;

  private final Servers servers = Servers.shared();

  /** Repeats a request until it succeeds; returns all responses. */
  private static List<HttpResponse<String>> untilAnswered(URI base, String path) {
    List<HttpResponse<String>> answers = new ArrayList<>();
    await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(2))
        .until(
            () -> {
              answers.add(AskIT.get(base, path));
              return answers.get(answers.size() - 1).statusCode() == 200;
            });
    return answers;
  }

  @Test
  void whileItStartsWhoeverAsksIsToldToTryAgain() {
    Map<String, String> settings = servers.settings(AskIT.LIMITS);
    try (Sluice sluice = Sluice.start(SluiceConfig.of(settings))) {
      URI base = sluice.httpAddress().orElseThrow();
      List<HttpResponse<String>> answers = untilAnswered(base, "/api/limits/funnel/key?userId=ada");
      assertThat(answers.get(0).statusCode()).isEqualTo(503);
      assertThat(answers.subList(0, answers.size() - 1))
          .allSatisfy(each -> assertThat(each.statusCode()).isEqualTo(503))
          .allSatisfy(each -> assertThat(each.body()).contains("try again"));
    }
  }

  @Test
  void whileItRestoresItSaysHowFarBehindItIs() throws Exception {
    Map<String, String> settings = servers.settings(AskIT.LIMITS);
    settings.put("num.standby.replicas", "0");
    try (Sluice sluice = Sluice.start(SluiceConfig.of(settings))) {
      assertThat(sluice.awaitRunning()).isTrue();
      publishOneOfEach(settings);
      URI base = sluice.httpAddress().orElseThrow();
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> used(base, "u0") == 1 && used(base, "u" + (USERS - 1)) == 1);
    }
    Map<String, String> slowly = new HashMap<>(settings);
    slowly.put("state.dir", Servers.folder().toString());
    slowly.put("restore.consumer.max.poll.records", "1");
    slowly.put("restore.consumer.interceptor.classes", HeldUp.class.getName());
    try (Sluice sluice = Sluice.start(SluiceConfig.of(slowly))) {
      URI base = sluice.httpAddress().orElseThrow();
      await()
          .atMost(Duration.ofMinutes(1))
          .pollInterval(Duration.ofMillis(2))
          .until(
              () -> AskIT.get(base, "/api/limits/funnel/key?userId=u0").body(),
              text -> text.contains("\"role\":\"restoring\"") && AskIT.number(text, "behind") > 0);
      assertThat(AskIT.get(base, "/api/limits").statusCode()).isEqualTo(200);
      HeldUp.GOES_ON.countDown();
      assertThat(sluice.awaitRunning()).isTrue();
      assertThat(AskIT.ask(base, "funnel", "u0")).contains("\"role\":\"active\"");
    }
  }

  /**
   * Interceptor that stops a restoration after its first records. Kafka instantiates it by name.
   */
  public static final class HeldUp implements ConsumerInterceptor<Object, Object> {
    static final CountDownLatch GOES_ON = new CountDownLatch(1);
    private boolean began;

    @Override
    public ConsumerRecords<Object, Object> onConsume(ConsumerRecords<Object, Object> records) {
      if (records.isEmpty()) return records;
      try {
        if (began) GOES_ON.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      began = true;
      return records;
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

    @Override
    public void close() {}

    @Override
    public void configure(Map<String, ?> settings) {}
  }

  private static long used(URI base, String user) throws Exception {
    return AskIT.number(AskIT.ask(base, "funnel", user), "used");
  }

  private void publishOneOfEach(Map<String, String> settings) throws Exception {
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < USERS; i++) {
      String user = "u" + i;
      keys.add(user.getBytes(UTF_8));
      values.add("{\"userId\":\"%s\",\"action\":\"funnel\"}".formatted(user).getBytes(UTF_8));
    }
    servers.publish(settings.get("sluice.topics.input"), keys, values);
  }

  @Test
  void whileRedisIsGoneTheStateStoreIsReadAndProcessingWaits() throws Exception {
    EmbeddedRedis redis = EmbeddedRedis.builder().start();
    Map<String, String> settings = servers.settings(AskIT.LIMITS);
    settings.put("sluice.redis.uri", redis.uri());
    try (Sluice sluice = Sluice.start(SluiceConfig.of(settings))) {
      assertThat(sluice.awaitRunning()).isTrue();
      URI base = sluice.httpAddress().orElseThrow();
      AskIT.publish(settings, "ada", "funnel", 3);
      AskIT.publish(settings, "ada", "remote", 1);
      await().atMost(Duration.ofMinutes(1)).until(() -> used(base, "ada") == 3);
      redis.close();
      AskIT.publish(settings, "ada", "remote", 1);
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () ->
                  assertThat(AskIT.get(base, "/metrics").body())
                      .containsPattern("sluice_redis_events_waiting [1-9]"));
      assertThat(used(base, "ada")).isEqualTo(3);
      HttpResponse<String> remote = AskIT.get(base, "/api/limits/remote/key?userId=ada");
      assertThat(remote.statusCode()).isEqualTo(503);
      assertThat(remote.body()).contains("Redis does not answer");
    }
  }
}

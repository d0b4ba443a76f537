package io.sluice.server.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.server.App;
import io.sluice.testing.Outputs;
import io.sluice.testing.Scrape;
import io.sluice.testing.Servers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Test of a Redis outage under load: events with limits on both backends wait just as those with
 * limits in Redis only.
 */
@Tag("full") // Redis is unavailable for longer than a session lasts
class MixedRedisOutageIT {
  private static final Duration MOST = Duration.ofMinutes(1);

  /**
   * Longer than a transaction's timeout of 10 s, and than 5 s, after which a blocked event once
   * ended its thread.
   */
  private static final Duration LONGER_THAN_ANY_TIMEOUT = Duration.ofSeconds(13);

  @ParameterizedTest
  @ValueSource(strings = {"exactly_once_v2", "at_least_once"})
  void processingIsPausedAndNoThreadIsReplaced(String guarantee) throws Exception {
    Servers servers = Servers.shared();
    EmbeddedRedis redis =
        EmbeddedRedis.builder()
            .data(Servers.folder())
            .arguments("--appendonly", "yes", "--appendfsync", "no")
            .start();
    String[] settings = {
      "processing.guarantee=" + guarantee,
      "sluice.redis.uri=" + redis.uri(),
      "sluice.http.port=0",
      "num.stream.threads=2",
      "sluice.topics.partitions=4",
      "sluice.limits=there,here",
      "sluice.limit.there.quota=5/2s",
      "sluice.limit.there.algorithm=sliding-window-log",
      "sluice.limit.there.backend=redis",
      "sluice.limit.here.quota=50/1s"
    };
    try (App app = new App(servers, settings);
        Admin admin = Admin.create(Map.of("bootstrap.servers", servers.kafka.bootstrapServers()))) {
      app.load.start(20, 100, "log");
      List<String> members = app.settled(admin);
      redis.kill();
      await().atMost(MOST).until(() -> !app.hasRedis());
      await().atMost(MOST).until(() -> app.metric("redis-events-waiting") > 0);
      await()
          .atMost(LONGER_THAN_ANY_TIMEOUT.multipliedBy(3))
          .during(LONGER_THAN_ANY_TIMEOUT)
          .until(() -> isReady(app) && app.metric("redis-events-waiting") > 0);
      app.load.pause();
      redis.start();
      await().atMost(MOST).until(app::hasRedis);
      assertThat(app.metric("redis-events-waiting")).isZero();
      List<String> published = app.load.published();
      await().atMost(MOST).untilAsserted(() -> assertThat(decided(app)).hasSize(published.size()));
      Outputs.areExactly(decided(app), published);
      Outputs.neverExceedLog(decided(app), "log", 5, 2_000);
      assertThat(decided(app).stream().map(Outputs.Out::reason).distinct())
          .containsExactlyInAnyOrder("", "over-limit");
      assertThat(app.membership(admin)).isEqualTo(members);
    } finally {
      redis.close();
    }
  }

  private static boolean isReady(App app) throws Exception {
    return Scrape.get(app.sluice.httpAddress().orElseThrow(), "/health/ready").statusCode() == 200;
  }

  /** Final verdicts, without those of events that were set aside as delayed. */
  private static List<Outputs.Out> decided(App app) {
    return app.outputs.all().stream().filter(out -> !out.verdict().equals("delayed")).toList();
  }
}

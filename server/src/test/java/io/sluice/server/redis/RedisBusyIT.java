package io.sluice.server.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.embedded.BusyRedis;
import io.sluice.embedded.EmbeddedRedis;
import io.sluice.server.App;
import io.sluice.testing.Outputs;
import io.sluice.testing.Servers;
import io.sluice.topology.metrics.RedisMetrics;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of a busy Redis: with eight stream threads, prefetched and single calls, its answers take
 * longer than the timeout, but it must not count as unavailable.
 */
@Tag("slow") // a Redis is busy for seconds, with eight threads
class RedisBusyIT {
  private static final String[] LIMITS = {
    "sluice.limits=stored,remote,besides",
    "sluice.limit.stored.match.action=stored,both",
    "sluice.limit.stored.quota=5/2s",
    "sluice.limit.remote.match.action=remote",
    "sluice.limit.remote.quota=5/2s",
    "sluice.limit.remote.algorithm=sliding-window-log",
    "sluice.limit.remote.backend=redis",
    "sluice.limit.besides.match.action=both",
    "sluice.limit.besides.quota=4/2s",
    "sluice.limit.besides.backend=redis",
    "num.stream.threads=8",
    "sluice.topics.partitions=8",
  };

  private final Servers servers = Servers.shared();

  static Stream<String> protocols() {
    return Servers.variants("classic", "streams");
  }

  @Tag("full") // a script keeps Redis busy for seconds
  @ParameterizedTest
  @MethodSource("protocols")
  void waitsInLine(String protocol) throws Exception {
    try (EmbeddedRedis redis = EmbeddedRedis.builder().start();
        App app = app(redis, "group.protocol=" + protocol)) {
      app.load.start(24, 1_000, "stored", "remote", "both");
      try (BusyRedis busy = new BusyRedis(redis.port(), Duration.ofMillis(60), 2)) {
        await()
            .atMost(Duration.ofMinutes(2))
            .until(() -> app.metric(RedisMetrics.LATE_ANSWERS) > 50 && app.load.count() > 500);
        assertThat(busy.slices()).isPositive();
      }
      app.load.pause();
      app.catchUp();
      assertThat(app.metric(RedisMetrics.CHANGES)).isZero();
      assertThat(app.metric("failed-stream-threads")).isZero();
      List<Outputs.Out> outs = app.outputs.all();
      Outputs.areExactly(outs, app.load.published());
      Outputs.neverExceedLog(outs, "remote", 5, 2_000);
      Outputs.neverExceedFunnel(outs, "both", 4, 2_000, 4);
    }
  }

  private App app(EmbeddedRedis redis, String protocol) throws Exception {
    String[] settings = new String[LIMITS.length + 2];
    System.arraycopy(LIMITS, 0, settings, 0, LIMITS.length);
    settings[LIMITS.length] = "sluice.redis.uri=" + redis.uri();
    settings[LIMITS.length + 1] = protocol;
    return new App(servers, settings);
  }

  /** A Redis that does not answer at all must still be noticed at once. */
  @Test
  void andOneThatIsSilentIsGone() throws Exception {
    try (EmbeddedRedis redis = EmbeddedRedis.builder().start();
        App app = app(redis, "group.protocol=classic")) {
      app.load.start(24, 1_000, "remote", "both");
      await().until(() -> app.outputs.all().size() > 50);
      redis.pause();
      try {
        await().atMost(Duration.ofMinutes(1)).until(() -> !app.hasRedis());
      } finally {
        redis.resume();
      }
      await().atMost(Duration.ofMinutes(1)).until(app::hasRedis);
      app.load.pause();
      app.catchUp();
    }
  }
}

package io.sluice.server.redis;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.server.App;
import io.sluice.testing.Servers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

/** Test of a key in Redis with another type: it affects only the events of its user. */
@Tag("slow") // hundreds of events end as dead letters, one by one
class UnreadableRedisKeyIT {
  private final Servers servers = Servers.shared();

  static Stream<String> limitsBesides() {
    return Servers.variants("", "sluice.limit.here.match.action=log");
  }

  @ParameterizedTest
  @MethodSource("limitsBesides")
  void othersAreMeteredAndItsEventsAreDeadLetters(String besides) throws Exception {
    String[] settings = {
      "sluice.limits=log" + (besides.isEmpty() ? "" : ",here"),
      "sluice.limit.log.match.action=log",
      "sluice.limit.log.quota=5/1h",
      "sluice.limit.log.algorithm=sliding-window-log",
      "sluice.redis.timeout=10s", // a slow machine is no outage
      "sluice.limit.log.backend=redis",
      besides.isEmpty() ? "num.stream.threads=1" : besides,
      besides.isEmpty() ? "num.stream.threads=1" : "sluice.limit.here.quota=100/1h"
    };
    try (App app = new App(servers, settings);
        Jedis redis = new Jedis("127.0.0.1", servers.redis.port())) {
      app.load.publish("broken", "log");
      app.catchUp();
      Set<String> keys = redis.keys(app.name() + ":{broken}*");
      assertThat(keys).hasSize(1);
      String key = keys.iterator().next();
      redis.del(key);
      redis.rpush(key, "a list");

      for (int i = 0; i < 100; i++) {
        app.load.publish("broken", "log");
        app.load.publish("ann", "log");
        app.load.publish("user" + i, "log");
      }
      String deadLetters = app.config.topics().deadLetter().names().get(0);
      List<ConsumerRecord<byte[], byte[]>> letters =
          servers.read(List.of(deadLetters), read -> read.size() >= 100);
      assertThat(
              letters.stream().map(each -> Servers.header(each, "sluice-error")).collect(toSet()))
          .singleElement()
          .asString()
          .contains(key, "WRONGTYPE");
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () ->
                  assertThat(app.outputs.all())
                      .filteredOn(out -> !out.user().equals("broken"))
                      .hasSize(200));
      assertThat(app.outputs.all())
          .filteredOn(out -> out.user().equals("ann") && out.isAllowed())
          .hasSize(5);
      assertThat(app.outputs.all())
          .filteredOn(out -> out.user().startsWith("user") && out.isAllowed())
          .hasSize(100);
      assertThat(app.metric("redis-availability-changes-total")).isZero();
      assertThat(app.metric("redis-unreadable-keys-total")).isGreaterThanOrEqualTo(100);

      redis.del(key);
      app.load.publish("broken", "log");
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () ->
                  assertThat(app.outputs.all())
                      .filteredOn(out -> out.user().equals("broken") && out.isAllowed())
                      .hasSize(2));
    }
  }
}

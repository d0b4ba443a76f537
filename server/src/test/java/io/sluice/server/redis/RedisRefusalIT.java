package io.sluice.server.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.rules.StartException;
import io.sluice.server.Sluice;
import io.sluice.topology.config.SluiceConfig;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Test of a start with a Redis that the configuration does not fit. */
class RedisRefusalIT {
  /** No broker is at the configured address, so a request to Kafka would fail differently. */
  @Test
  void theStartFailsBeforeKafkaIsAskedForAnything() {
    try (EmbeddedRedis redis =
        EmbeddedRedis.builder().arguments("--requirepass", "another").start()) {
      SluiceConfig config =
          SluiceConfig.of(
              Map.of(
                  "bootstrap.servers", "127.0.0.1:1",
                  "application.id", "check",
                  "sluice.limits", "reply",
                  "sluice.limit.reply.quota", "5/60s",
                  "sluice.limit.reply.backend", "redis",
                  "sluice.redis.uri", redis.uri()));
      assertThatThrownBy(() -> Sluice.start(config))
          .isInstanceOf(StartException.class)
          .hasMessageStartingWith("Redis at redis")
          .hasMessageContaining("requires a password");
    }
  }
}

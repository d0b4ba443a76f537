package io.sluice.topology.delay;

import static io.sluice.testing.SettingLines.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisSettings;
import io.sluice.testing.Servers;
import io.sluice.topology.Harness;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of delayed events whose limit is in a real Redis, under the test driver's clock. */
class DelayRedisIT {
  private static final String[] SMS = {
    "sluice.limits=sms",
    "sluice.limit.sms.match.action=sms",
    "sluice.limit.sms.quota=1/100ms",
    "sluice.limit.sms.exceeded=delay",
    "num.stream.threads=2",
    "producer.transaction.timeout.ms=3000",
    "main.consumer.session.timeout.ms=3000",
    "main.consumer.heartbeat.interval.ms=1000"
  };

  private final Servers servers = Servers.shared();

  @Test
  void inRedisALongCostWaitsExactlyAsLongAsDelayMaxAllows() {
    for (String most : List.of("40s", "39s")) {
      try (RedisMeter redis = redis("cost" + most);
          Harness sluice =
              new Harness(
                  () -> redis,
                  with(
                      SMS,
                      "sluice.redis.uri=" + servers.redis.uri(),
                      "sluice.limit.sms.backend=redis",
                      "sluice.limit.sms.quota=10/100s",
                      "sluice.limit.sms.delay.max=" + most))) {
        sluice.send("ann", "sms", 0, "\"cost\":9");
        sluice.send("ann", "sms", 0, "\"cost\":5");
        Harness.Out out = (most.equals("40s") ? sluice.delayed() : sluice.rejected()).get(0);
        assertThat(out.header("sluice-retry-after-ms")).isEqualTo("40000");
        assertThat(out.header("sluice-reason"))
            .isEqualTo(most.equals("40s") ? "" : "delay-too-long");
      }
    }
  }

  @Test
  void inRedisAFunnelLetsGoAtItsRateAfterItsBurst() {
    try (RedisMeter redis = redis("funnel");
        Harness sluice =
            new Harness(
                () -> redis,
                with(
                    SMS,
                    "sluice.redis.uri=" + servers.redis.uri(),
                    "sluice.limit.sms.backend=redis",
                    "sluice.limit.sms.quota=2/6s",
                    "sluice.limit.sms.burst=3"))) {
      for (int i = 0; i < 6; i++) {
        sluice.runTo(500 * i);
        sluice.send("ann", "sms", 500 * i);
      }
      assertThat(sluice.allowed()).hasSize(3);
      for (long second : List.of(3, 6, 9)) {
        sluice.runTo(second * 1_000 - 1);
        assertThat(sluice.allowed()).isEmpty();
        sluice.runTo(second * 1_000);
        assertThat(sluice.allowed()).hasSize(1);
      }
    }
  }

  private RedisMeter redis(String prefix) {
    return new RedisMeter(
        RedisSettings.of(servers.redis.uri())
            .withTimeout(Duration.ofSeconds(5))
            .withKeyPrefix("delay-" + prefix));
  }
}

package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.embedded.BusyRedis;
import io.sluice.embedded.EmbeddedRedis;
import io.sluice.embedded.Forwarder;
import io.sluice.limiter.LimiterUnavailableException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a meter waits for a busy server, but not for one that is gone. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RedisPatienceIT {
  private static final Duration SHORT = Duration.ofMillis(20);
  private static final Duration SLICE = Duration.ofMillis(50);
  private static final Duration LONG = Duration.ofMinutes(1);

  private final AtomicInteger waits = new AtomicInteger();
  private EmbeddedRedis redis;
  private RedisMeter meter;

  @BeforeEach
  void start() {
    redis = EmbeddedRedis.builder().start();
    meter = meter(redis.uri(), LONG);
  }

  @AfterEach
  void stop() {
    meter.close();
    redis.close();
  }

  private RedisMeter meter(String uri, Duration patience) {
    RedisSettings settings = RedisSettings.of(uri).withTimeout(SHORT).withPatience(patience);
    return new RedisMeter(settings, waits::incrementAndGet);
  }

  @Tag("full") // a script keeps Redis busy for seconds
  @Test
  void waitsInLineWhileOthersKeepItBusy() {
    try (BusyRedis busy = new BusyRedis(redis.port(), SLICE, 2)) {
      for (long seed = 0; seed < 5; seed++) meter.meter(RedisTraffic.small(seed, 300).requests());
      meter.probe();
      assertThat(busy.slices()).isPositive();
    }
    assertThat(waits).hasPositiveValue();
  }

  @Test
  void withoutPatienceTheTimeoutIsTheEndOfIt() {
    try (RedisMeter hasty = meter(redis.uri(), Duration.ZERO);
        BusyRedis busy = new BusyRedis(redis.port(), SLICE, 2)) {
      assertThatThrownBy(
              () -> {
                while (busy.slices() < 1_000) hasty.probe();
              })
          .isInstanceOf(LimiterUnavailableException.class)
          .hasMessageContaining("Read timed out");
    }
    assertThat(waits).hasValue(0);
  }

  @Test
  void oneThatIsSilentIsGone() {
    meter.probe();
    redis.pause();
    try {
      assertThatThrownBy(meter::probe)
          .isInstanceOf(LimiterUnavailableException.class)
          .hasMessageContaining("no answer within 20 ms, nor to a PING within 1000 ms");
    } finally {
      redis.resume();
    }
    meter.probe();
  }

  @Test
  void oneThatRefusesIsGone() {
    meter.probe();
    redis.kill();
    assertThatThrownBy(meter::probe)
        .isInstanceOf(LimiterUnavailableException.class)
        .hasMessageContaining("Connection refused");
    assertThat(waits).hasValue(0);
  }

  @Test
  void anAnswerThatIsLostIsNotWaitedForWithoutEnd() {
    try (Forwarder address = new Forwarder(redis.port());
        RedisMeter behind = meter(address.uri(), Duration.ofSeconds(1))) {
      behind.probe();
      address.loseNextRequest();
      assertThatThrownBy(behind::probe)
          .isInstanceOf(LimiterUnavailableException.class)
          .hasMessageContaining("it answers a PING");
      behind.probe();
    }
  }

  @Test
  void nodesOfAClusterAreWaitedForLikewise() {
    try (TestCluster cluster = new TestCluster(3);
        RedisMeter patient =
            new RedisMeter(
                cluster.settings("busy").withTimeout(SHORT).withPatience(LONG),
                waits::incrementAndGet);
        BusyRedis busy = new BusyRedis(cluster.nodes.get(1).port(), SLICE, 2)) {
      // Runs until some arrivals are for the busy node, which depends on the names of their keys.
      for (long seed = 0; seed < 100 && waits.get() == 0; seed++) {
        patient.meter(RedisTraffic.ofCluster(seed, 100).requests());
      }
      assertThat(busy.slices()).isPositive();
    }
    assertThat(waits).hasPositiveValue();
  }
}

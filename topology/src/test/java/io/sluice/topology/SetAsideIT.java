package io.sluice.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.embedded.Forwarder;
import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisSettings;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that an event which Redis has charged, but whose answer was lost, is set aside and not
 * charged again.
 */
class SetAsideIT {
  private static final String[] REDIS_ALONE = {
    "sluice.redis.uri=redis://localhost", // not used: the test creates the meter
    "sluice.limits=there",
    "sluice.limit.there.quota=100/60s",
    "sluice.limit.there.backend=redis"
  };
  private static final String[] BOTH = {
    "sluice.redis.uri=redis://localhost",
    "sluice.limits=there,here",
    "sluice.limit.there.quota=100/60s",
    "sluice.limit.there.backend=redis",
    "sluice.limit.here.quota=1000/60s"
  };

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anEventWhoseAnswerWasLostIsChargedOnce(boolean onBoth) throws Exception {
    try (EmbeddedRedis redis = EmbeddedRedis.builder().start();
        Forwarder address = new Forwarder(redis.port());
        RedisMeter meter = meter(address.uri(), Duration.ofMillis(200));
        Harness harness = new Harness(() -> meter, onBoth ? BOTH : REDIS_ALONE)) {
      harness.send("ada", "post", 0);
      assertThat(harness.allowed()).hasSize(1);

      address.loseNextAnswer();
      address.leadTo(closedPort());
      harness.send("ada", "post", 0);
      assertThat(address.hasLostAnswer()).isTrue();
      assertThat(harness.delayed()) // it is read again while Redis is unavailable
          .singleElement()
          .satisfies(
              aside -> {
                assertThat(aside.header("sluice-reason")).isEqualTo("redis-unavailable");
                assertThat(aside.header("sluice-asked-as")).isNotEmpty();
              });
      assertThat(harness.allowed()).isEmpty();

      // Redis remembers the last four events of a key, so it recognizes this one only by its
      // position.
      try (RedisMeter direct = meter(redis.uri(), Duration.ofSeconds(5));
          Harness others = new Harness(() -> direct, ofOthers(onBoth ? BOTH : REDIS_ALONE))) {
        for (int i = 0; i < 5; i++) others.send("ada", "post", 0, "\"eventId\":\"other" + i + "\"");
        assertThat(others.allowed()).hasSize(5);
      }

      address.leadTo(redis.port());
      List<Harness.Out> allowed = new ArrayList<>();
      await()
          .pollInSameThread()
          .atMost(Duration.ofMinutes(1))
          .until(
              () -> {
                harness.send("bob", "post", 0);
                return allowed.addAll(harness.allowed());
              });
      assertThat(allowed).first().satisfies(out -> assertThat(out.text()).contains("ada"));
      assertThat(ofAda(allowed))
          .singleElement()
          .satisfies(
              out ->
                  assertThat(out.headers().keySet())
                      .doesNotContain("sluice-asked-as", "sluice-origin"));

      harness.send("ada", "post", 0);
      assertThat(harness.allowed())
          .singleElement()
          .satisfies(last -> assertThat(last.header("sluice-remaining")).isEqualTo("92"));
    }
  }

  /** A record is metered with at most 10,000 events that wait, so some wait still. */
  @Test
  void laterEventsStayBehindAllThatWaitForRedis() throws Exception {
    try (EmbeddedRedis redis = EmbeddedRedis.builder().start();
        Forwarder address = new Forwarder(closedPort());
        RedisMeter meter = meter(address.uri(), Duration.ofSeconds(5));
        Harness harness = new Harness(() -> meter, REDIS_ALONE)) {
      int sent = 0;
      while (sent < 10_001) harness.send("user" + sent++, "post", 0);
      assertThat(harness.allowed()).isEmpty();

      address.leadTo(redis.port());
      List<Harness.Out> allowed = new ArrayList<>();
      while (allowed.size() <= 10_001 && sent < 200_000) {
        harness.send("user" + sent++, "post", 0);
        allowed.addAll(harness.allowed());
      }
      assertThat(allowed)
          .extracting(Harness.Out::text)
          .isEqualTo(IntStream.range(0, allowed.size()).mapToObj(SetAsideIT::event).toList());
    }
  }

  /** It is allowed without Redis, but leaves only after the event of its key that waits. */
  @Test
  void anEventThatPassesWithoutRedisButWaitsForItsTurnEndsOnce() throws Exception {
    try (EmbeddedRedis redis = EmbeddedRedis.builder().start();
        Forwarder address = new Forwarder(redis.port());
        RedisMeter meter = meter(address.uri(), Duration.ofSeconds(5));
        Harness harness =
            new Harness(
                () -> meter,
                "sluice.redis.uri=redis://localhost",
                "sluice.limits=there",
                "sluice.limit.there.quota=1/10s",
                "sluice.limit.there.burst=1",
                "sluice.limit.there.exceeded=delay",
                "sluice.limit.there.backend=redis",
                "sluice.limit.there.redis.unavailable=allow")) {
      for (int i = 0; i < 2; i++) harness.send("ada", "post", 0);
      assertThat(harness.allowed()).hasSize(1);
      assertThat(harness.delayed()).hasSize(1);

      address.loseNextAnswer();
      address.leadTo(closedPort());
      harness.send("ada", "post", 2_000);
      assertThat(harness.delayed())
          .singleElement()
          .satisfies(out -> assertThat(out.header("sluice-reason")).isEqualTo("redis-unavailable"));
      address.leadTo(redis.port());
      harness.runTo(60_000);
      for (int i = 1; i <= 3; i++) harness.send("bob" + i, "post", 60_000);
      harness.runTo(120_000);
      assertThat(harness.allowed().stream().filter(out -> out.text().contains("ada"))).hasSize(2);
      assertThat(harness.delayed()).isEmpty();
    }
  }

  private static String event(int number) {
    return "{\"userId\":\"user%d\",\"action\":\"post\",\"occurredAt\":%d,\"eventId\":\"e%d\"}"
        .formatted(number, Harness.NOON_MS, number + 1);
  }

  private static String[] ofOthers(String... settings) {
    return Stream.concat(Stream.of(settings), Stream.of("application.id=others"))
        .toArray(String[]::new);
  }

  private static RedisMeter meter(String uri, Duration timeout) {
    return new RedisMeter(RedisSettings.of(uri).withTimeout(timeout));
  }

  private static List<Harness.Out> ofAda(List<Harness.Out> all) {
    return all.stream().filter(out -> out.text().contains("ada")).toList();
  }

  private static int closedPort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}

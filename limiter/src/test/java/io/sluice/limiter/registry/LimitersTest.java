package io.sluice.limiter.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.limiter.Decision;
import io.sluice.limiter.Decision.Conforming;
import io.sluice.limiter.Decision.NonConforming;
import io.sluice.limiter.Decision.Oversized;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LimitersTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private static Limiters limiters(String... lines) throws Exception {
    return Limiters.of(properties(lines));
  }

  private static Properties properties(String... lines) throws Exception {
    Properties properties = new Properties();
    properties.load(new StringReader(String.join("\n", lines)));
    return properties;
  }

  private static List<String> mistakes(String... lines) {
    Throwable refusal =
        org.assertj.core.api.Assertions.catchThrowableOfType(
            IllegalArgumentException.class, () -> limiters(lines).close());
    return refusal.getMessage().lines().toList();
  }

  @Test
  void aLimiterIsCalledByItsNameInAllThreeWays() throws Exception {
    try (Limiters limiters = limiters("sluice.limit.reply.quota=3/1h", "my.own.key=1")) {
      assertThat(limiters.names()).containsExactly("reply");
      assertThat(limiters.get("reply").meter("k")).isInstanceOf(Conforming.class);
      assertThat(limiters.async("reply").meter("k").toCompletableFuture())
          .isCompletedWithValueMatching(Conforming.class::isInstance);
      assertThat(limiters.waiting("reply").acquire("k", Duration.ZERO))
          .isInstanceOf(Conforming.class);
      assertThat(limiters.get("reply").meter("k")).isInstanceOf(NonConforming.class);
    }
  }

  @Test
  void oneThreadWakesAllWhoWaitAndEndsWithThem() throws Exception {
    Set<Thread> before = wakingThreads();
    Set<Thread> waking;
    try (Limiters limiters =
        limiters(
            "sluice.limit.a.quota=1/1h",
            "sluice.limit.b.quota=1/1h",
            "sluice.limit.c.quota=1/1h")) {
      for (String name : limiters.names()) {
        limiters.waiting(name).acquireAsync("k", Duration.ofHours(2));
        assertThat(limiters.waiting(name).acquireAsync("k", Duration.ofHours(2))).isNotDone();
      }
      waking = wakingThreads();
      waking.removeAll(before);
      assertThat(waking).hasSize(1);
    }
    await().until(() -> waking.stream().noneMatch(Thread::isAlive));
  }

  private static Set<Thread> wakingThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("sluice-waiting"))
        .collect(Collectors.toCollection(HashSet::new));
  }

  @Test
  void anotherNameIsRefusedWithThoseThatThereAre() throws Exception {
    try (Limiters limiters = limiters("sluice.limit.b.quota=1/1h", "sluice.limit.a.quota=1/1h")) {
      assertThatThrownBy(() -> limiters.get("c"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("no limit has the name c; there are a, b");
    }
  }

  @Test
  void aLimitIsAsItsSettingsSay() {
    Map<String, String> settings =
        Map.of(
            "sluice.limits", "login, daily",
            "sluice.limit.login.quota", "1/1s",
            "sluice.limit.login.burst", "2",
            "sluice.limit.login.block", "10m",
            "sluice.limit.daily.quota", "5/day",
            "sluice.limit.daily.zone", "Europe/Berlin");
    try (Limiters limiters = Limiters.of(settings, () -> NOON)) {
      assertThat(limiters.get("login").meter("k", 3)).isInstanceOf(Oversized.class);
      assertThat(limiters.get("login").meter("k", 2)).isInstanceOf(Conforming.class);
      assertThat(limiters.get("login").meter("k"))
          .isEqualTo(new NonConforming(0, 600_000_000, 600_000_000));
      Decision decision = limiters.get("daily").meter("k");
      assertThat(decision.resetAfterMicros()).isEqualTo(11 * 3_600_000_000L);
    }
  }

  @Test
  void allMistakesAreNamedAtOnce() {
    assertThat(
            mistakes(
                "sluice.limits=a,b,c,x",
                "sluice.limit.a.quota=many",
                "sluice.limit.a.algorithm=leaky",
                "sluice.limit.a.backend=disk",
                "sluice.limit.b.quota=5/day",
                "sluice.limit.b.algorithm=funnel",
                "sluice.limit.b.zone=Berlin",
                "sluice.limit.b.burst=0",
                "sluice.limit.c.quota=5/1s",
                "sluice.limit.c.algorithm=sliding-window-log",
                "sluice.limit.c.burst=7",
                "sluice.limit.c.zone=UTC",
                "sluice.limit.c.block=1us",
                "sluice.limit.c.exceeded=delay",
                "sluice.limit.d.backend=redis",
                "sluice.redis.timeout=1h",
                "sluice.topics.input=in"))
        .containsExactlyInAnyOrder(
            "sluice.limits=a,b,c,x: limit x has no settings",
            "sluice.limits=a,b,c,x: limit d is not listed",
            "sluice.limit.a.quota: a quota is permits/period, such as 5/60s: many",
            "sluice.limit.a.algorithm=leaky: accepted are funnel, sliding-window-log,"
                + " sliding-window-counter, calendar-window",
            "sluice.limit.a.backend=disk: accepted are state-store (in this process), redis",
            "sluice.limit.b.algorithm=funnel: a quota for a period of the calendar needs a"
                + " calendar-window",
            "sluice.limit.b.zone=Berlin: UTC, or a name such as Europe/Berlin",
            "sluice.limit.b.burst=0: 1 to 2147483648",
            "sluice.limit.c.burst=7: only a funnel has a burst",
            "sluice.limit.c.zone=UTC: only applies with a quota for an hour, day, week, month or"
                + " year, such as 1000/day",
            "sluice.limit.c.block=1us: a period, 1ms to 3660d, or nothing",
            "sluice.limit.c.exceeded: unknown, or only for a stream; accepted are algorithm,"
                + " backend, block, burst, quota, zone",
            "sluice.limit.d.quota: missing; a quota is permits/period, such as 5/60s",
            "sluice.redis.timeout=1h: milliseconds or a period, 1ms to 10s",
            "sluice.redis.uri: missing; needed by limits on redis: d; such as"
                + " redis://localhost:6379",
            "sluice.topics.input: unknown, or only for a stream; accepted are sluice.limits,"
                + " sluice.redis.expiry.grace, sluice.redis.key.prefix, sluice.redis.timeout,"
                + " sluice.redis.uri and sluice.limit.N.*");
  }

  @Test
  void aPasswordIsNotRepeated() {
    assertThat(mistakes("sluice.redis.uri=redis://u:secret@host:what"))
        .singleElement()
        .satisfies(
            line -> assertThat(line).startsWith("sluice.redis.uri: ").doesNotContain("secret"));
  }
}

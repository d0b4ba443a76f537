package io.sluice.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisSettings;
import io.sluice.testing.Servers;
import io.sluice.testing.TestScale;
import io.sluice.topology.Harness.Out;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that limits with opening hours give the same verdicts on both backends. */
class OpenLimitsIT {
  private static final long MINUTE_MS = 60_000;

  private static final String[] LIMITS = {
    "sluice.limits=all,day,sms,mail",
    "sluice.time.max.ahead=90d",
    "sluice.time.lateness=90d",
    "sluice.limit.sms.match.action=sms",
    "sluice.limit.sms.quota=2/20m",
    "sluice.limit.sms.open=mon-fri 08:00-16:00, sat 22:00-01:00",
    "sluice.limit.sms.zone=attributes.tz,Europe/Berlin",
    "sluice.limit.sms.exceeded=delay",
    "sluice.limit.sms.delay.max=20h",
    "sluice.limit.mail.match.action=mail",
    "sluice.limit.mail.quota=4/40m",
    "sluice.limit.mail.algorithm=sliding-window-log",
    "sluice.limit.mail.open=mon-sun 09:00-12:00, mon-sun 13:00-17:00",
    "sluice.limit.mail.exceeded=retry",
    "sluice.limit.all.quota=9/60m",
    "sluice.limit.all.burst=5",
    "sluice.limit.day.quota=30/day",
    "sluice.limit.day.open=mon-sat 06:00-23:00",
    "sluice.limit.day.zone=Europe/Berlin"
  };

  private final Servers servers = Servers.shared();

  static LongStream seeds() {
    return TestScale.seeds(1, 60);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void bothBackendsGiveTheSameVerdicts(long seed) {
    List<String> stored = verdicts(seed, "state-store", "state-store");

    assertSame(seed, verdicts(seed, "redis", "redis"), stored);
    assertSame(seed, verdicts(seed, "redis", "state-store"), stored);
    assertThat(stored)
        .anyMatch(line -> line.startsWith("allowed"))
        .anyMatch(line -> line.startsWith("rejected"))
        .anyMatch(line -> line.startsWith("delayed"));
  }

  private static void assertSame(long seed, List<String> found, List<String> expected) {
    for (int i = 0; i < Math.min(found.size(), expected.size()); i++) {
      assertThat(found.get(i)).as("seed %d, line %d", seed, i).isEqualTo(expected.get(i));
    }
    assertThat(found).as("seed %d", seed).hasSameSizeAs(expected);
  }

  private List<String> verdicts(long seed, String backend, String ofOthers) {
    List<String> lines = new ArrayList<>();
    try (RedisMeter redis = redis("open-" + UUID.randomUUID());
        Harness sluice =
            new Harness(() -> redis, settings(backend, ofOthers).toArray(String[]::new))) {
      Random random = new Random(seed);
      long atMs = 0;
      for (int i = 0; i < 120; i++) {
        atMs += random.nextInt(30) * MINUTE_MS;
        sluice.advanceWall(Duration.ofMillis(atMs - (sluice.wallMs.get() - Harness.NOON_MS)));
        sluice.advanceWall(Duration.ZERO);
        String zone = List.of("", "America/New_York", "+05:30", "x").get(random.nextInt(4));
        sluice.send(
            random.nextBoolean() ? "ada" : "bob",
            List.of("sms", "mail", "post").get(random.nextInt(3)),
            atMs,
            "\"attributes\":{\"tz\":\"" + zone + "\"}");
        read(sluice, lines);
      }
      for (int i = 0; i < 60; i++) {
        sluice.advanceWall(Duration.ofHours(1));
        read(sluice, lines);
      }
    }
    // Only the events of a user under a limit have an order.
    lines.sort(Comparator.comparing(line -> line.replaceFirst(".*\"userId\":(.*?),\"occ.*", "$1")));
    return lines;
  }

  private static List<String> settings(String backend, String ofOthers) {
    List<String> settings = new ArrayList<>(List.of(LIMITS));
    settings.add("sluice.limit.sms.backend=" + backend);
    settings.add("sluice.limit.mail.backend=" + backend);
    settings.add("sluice.limit.all.backend=" + ofOthers);
    settings.add("sluice.limit.day.backend=" + ofOthers);
    settings.add("sluice.redis.uri=" + Servers.shared().redis.uri());
    return settings;
  }

  private static void read(Harness sluice, List<String> lines) {
    sluice.allowed().forEach(out -> lines.add("allowed " + line(out)));
    sluice.rejected().forEach(out -> lines.add("rejected " + line(out)));
    sluice.delayed().forEach(out -> lines.add("delayed " + line(out)));
    assertThat(sluice.deadLetters()).isEmpty();
  }

  private static String line(Out out) {
    return out.text()
        + List.of(
            out.header("sluice-limit"),
            out.header("sluice-remaining"),
            out.header("sluice-retry-after-ms"),
            out.header("sluice-reset-after-ms"),
            out.header("sluice-release-at-ms"),
            out.header("sluice-reason"),
            out.header("sluice-attempt"));
  }

  private RedisMeter redis(String prefix) {
    return new RedisMeter(
        RedisSettings.of(servers.redis.uri())
            .withTimeout(Duration.ofSeconds(5))
            .withKeyPrefix(prefix));
  }
}

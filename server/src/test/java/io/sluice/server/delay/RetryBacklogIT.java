package io.sluice.server.delay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisSettings;
import io.sluice.server.Sluice;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.simulation.SimulatedVerdict;
import io.sluice.topology.simulation.Simulation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that a backlog with retries gets the same verdicts if it is read fast, slowly by one
 * instance after another, or in a simulation.
 */
@Tag("slow") // seven instances, one after another, read a backlog
class RetryBacklogIT {
  private static final int EVENTS = 600;
  private static final int USERS = 5;
  private static final int AHEAD = EVENTS / 2;
  private static final Pattern ID = Pattern.compile("\"eventId\":\"([^\"]*)\"");

  /** Prefix of record keys that keeps most events away from their home partition. */
  private static final String ELSEWHERE = "elsewhere-";

  private static final String AT_HOME = "";

  @TempDir private Path folder;

  private final Servers servers = Servers.shared();

  static Stream<Arguments> stores() {
    return Servers.variants(
        Arguments.of("state-store", "memory", AT_HOME),
        Arguments.of("state-store", "rocksdb", AT_HOME),
        Arguments.of("state-store", "memory", ELSEWHERE),
        Arguments.of("redis", "memory", AT_HOME));
  }

  @ParameterizedTest
  @MethodSource("stores")
  void verdictsOfABacklogAreTheSameAtAnySpeed(String backend, String store, String beforeKey)
      throws Exception {
    String[] settings = settings(backend, store, "");
    SluiceConfig first = SluiceConfig.of(servers.settings(settings));
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    traffic(beforeKey, keys, values);
    TreeSet<String> expected = simulated(first, backend, values);
    assertThat(expected)
        .hasSize(EVENTS)
        .anyMatch(end -> end.contains("allowed on attempt 2"))
        .anyMatch(end -> end.contains("rejected"));
    try (Sluice preparing = Sluice.start(first)) {
      assertThat(preparing.awaitRunning()).isTrue();
    }
    publish(first, keys, values); // before the instance reads, so that all due times are past
    assertThat(ends(first, EVENTS)).isEqualTo(expected);
    String[] slowly =
        settings(backend, store, first.inputTopics().get(0), "main.consumer.max.poll.records=7");
    SluiceConfig second = SluiceConfig.of(servers.settings(slowly));
    ends(second, EVENTS / 3);
    ends(second, 2 * EVENTS / 3);
    assertThat(ends(second, EVENTS)).isEqualTo(expected);
  }

  /**
   * An event that is ahead of all others sets the clock by which later retries are due. The next
   * instance must know it, or it meters these retries later than the simulation does.
   */
  @Test
  void theClockOfAnInputOutlivesAnInstance() throws Exception {
    String[] settings = settings("state-store", "memory", "", "sluice.topics.partitions=1");
    SluiceConfig config = SluiceConfig.of(servers.settings(settings));
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    traffic(AT_HOME, keys, values);
    keys.add(AHEAD, "ahead".getBytes(UTF_8));
    values.add(AHEAD, event("ahead", "ahead", System.currentTimeMillis()));
    TreeSet<String> expected = simulated(config, "state-store", values);
    try (Sluice preparing = Sluice.start(config)) {
      assertThat(preparing.awaitRunning()).isTrue();
    }
    publish(config, keys.subList(0, AHEAD + 1), values.subList(0, AHEAD + 1));
    ends(config, AHEAD + 1);
    publish(config, keys.subList(AHEAD + 1, EVENTS + 1), values.subList(AHEAD + 1, EVENTS + 1));
    assertThat(ends(config, EVENTS + 1)).isEqualTo(expected);
  }

  private static String[] settings(String backend, String store, String input, String... more) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "sluice.limits=sms",
                "sluice.limit.sms.match.action=sms",
                "sluice.limit.sms.quota=1/2s",
                "sluice.limit.sms.backend=" + backend,
                "sluice.limit.sms.exceeded=retry",
                "sluice.limit.sms.retry.attempts=3",
                "sluice.state.store=" + store,
                "sluice.redis.timeout=5s"));
    settings.addAll(List.of(more));
    if (!input.isEmpty()) settings.add("sluice.topics.input=" + input);
    return settings.toArray(String[]::new);
  }

  private static void traffic(String beforeKey, List<byte[]> keys, List<byte[]> values) {
    SplittableRandom random = new SplittableRandom(7);
    long atMs = System.currentTimeMillis() - Duration.ofHours(1).toMillis();
    for (int i = 0; i < EVENTS; i++) {
      atMs += random.nextInt(300);
      String user = "u" + random.nextInt(USERS);
      keys.add((beforeKey + user).getBytes(UTF_8));
      values.add(event("" + i, user, atMs));
    }
  }

  private static byte[] event(String id, String user, long atMs) {
    return "{\"eventId\":\"%s\",\"userId\":\"%s\",\"action\":\"sms\",\"occurredAt\":%d}"
        .formatted(id, user, atMs)
        .getBytes(UTF_8);
  }

  private void publish(SluiceConfig config, List<byte[]> keys, List<byte[]> values)
      throws Exception {
    servers.publish(config.inputTopics().get(0), keys, values);
  }

  /** Runs an instance until there are so many verdicts; returns those of all instances. */
  private TreeSet<String> ends(SluiceConfig config, int events) throws Exception {
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      List<ConsumerRecord<byte[], byte[]>> out =
          servers.read(config.outputTopics(), read -> read.size() >= events);
      TreeSet<String> ends = new TreeSet<>();
      for (ConsumerRecord<byte[], byte[]> each : out) {
        ends.add(
            end(
                id(new String(each.value(), UTF_8)),
                Servers.header(each, "sluice-verdict"),
                Servers.header(each, "sluice-attempt"),
                Servers.header(each, "sluice-remaining")));
      }
      return ends;
    }
  }

  private TreeSet<String> simulated(SluiceConfig config, String backend, List<byte[]> values) {
    TreeSet<String> ends = new TreeSet<>();
    Simulation.Output output =
        new Simulation.Output() {
          @Override
          public void verdict(SimulatedVerdict verdict) {
            String json = verdict.json();
            if (verdict.isDelayed()) return;
            ends.add(
                end(
                    id(json),
                    field(json, "verdict"),
                    field(json, "attempt"),
                    field(json, "remaining")));
          }

          @Override
          public void notAnEvent(String why) {
            throw new AssertionError(why);
          }
        };
    try (RedisMeter redis = backend.equals("redis") ? meter() : null) {
      Supplier<RedisMeter> meter = () -> redis;
      try (Simulation simulation = Simulation.start(config, meter, folder)) {
        for (byte[] each : values) simulation.feed(each, output);
        while (simulation.delayed() > 0) simulation.runOn(output);
      }
    }
    return ends;
  }

  private RedisMeter meter() {
    return new RedisMeter(
        RedisSettings.of(servers.redis.uri())
            .withTimeout(Duration.ofSeconds(5))
            .withKeyPrefix("simulated-retries"));
  }

  private static String end(String id, String verdict, String attempt, String remaining) {
    return id + " " + verdict + " on attempt " + attempt + ", " + remaining + " left";
  }

  private static String id(String json) {
    Matcher id = ID.matcher(json);
    assertThat(id.find()).isTrue();
    return id.group(1);
  }

  private static String field(String json, String name) {
    Matcher field = Pattern.compile("\"" + name + "\":\"?([a-z0-9]+)").matcher(json);
    return field.find() ? field.group(1) : "";
  }
}

package io.sluice.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.redis.RedisMeter;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.simulation.SimulatedVerdict;
import io.sluice.topology.simulation.Simulation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that events with {@code exceeded=retry} get the same verdicts live, from a backlog, and in
 * a simulation.
 */
class RetryOrderTest {
  private static final int EVENTS = 200;
  private static final long LATER_MS = Duration.ofDays(2).toMillis();
  private static final Pattern ID = Pattern.compile("\"eventId\":\"([^\"]*)\"");

  private static final String[] SMS = {
    "sluice.limits=sms",
    "sluice.limit.sms.match.action=sms",
    "sluice.limit.sms.quota=1/2s",
    "sluice.limit.sms.exceeded=retry",
    "sluice.limit.sms.retry.jitter=0",
    "sluice.delay.tick=50"
  };

  @TempDir private Path folder;

  private record Sent(String id, String user, long ms) {
    byte[] json() {
      return ("{\"eventId\":\"%s\",\"userId\":\"%s\",\"action\":\"sms\",\"occurredAt\":%d}"
              .formatted(id, user, Harness.NOON_MS + ms))
          .getBytes(UTF_8);
    }
  }

  /** Text of an event's final verdict. */
  private static String end(String id, String verdict, String attempt, String remaining) {
    return id + " " + verdict + " on attempt " + attempt + ", " + remaining + " left";
  }

  private static List<Sent> traffic(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Sent> events = new ArrayList<>();
    long ms = 0;
    for (int i = 0; i < EVENTS; i++) {
      ms += random.nextInt(700);
      long late = random.nextInt(10) == 0 ? random.nextInt(5_000) : 0;
      events.add(new Sent("e" + i, "u" + random.nextInt(3), Math.max(0, ms - late)));
    }
    return events;
  }

  /** Sends each event when the wall clock reaches its partition's time, as in a live run. */
  private static TreeSet<String> live(List<Sent> events) {
    try (Harness sluice = new Harness(SMS)) {
      long clockMs = 0;
      for (Sent each : events) {
        clockMs = Math.max(clockMs, each.ms);
        sluice.runTo(clockMs);
        sluice.send(each.json(), new RecordHeaders());
      }
      sluice.runTo(clockMs + 60_000);
      return ends(sluice);
    }
  }

  private static TreeSet<String> backlog(List<Sent> events) {
    try (Harness sluice = new Harness(SMS)) {
      sluice.advanceWall(Duration.ofMillis(LATER_MS));
      for (Sent each : events) sluice.send(each.json(), new RecordHeaders());
      sluice.advanceWall(Duration.ofSeconds(1));
      return ends(sluice);
    }
  }

  private static TreeSet<String> ends(Harness sluice) {
    TreeSet<String> ends = new TreeSet<>();
    Stream.concat(sluice.allowed().stream(), sluice.rejected().stream())
        .forEach(
            out ->
                assertThat(
                        ends.add(
                            end(
                                id(out.text()),
                                out.header("sluice-verdict"),
                                out.header("sluice-attempt"),
                                out.header("sluice-remaining"))))
                    .isTrue());
    return ends;
  }

  private static String id(String json) {
    Matcher id = ID.matcher(json);
    assertThat(id.find()).isTrue();
    return id.group(1);
  }

  private TreeSet<String> simulated(List<Sent> events) {
    SluiceConfig config;
    try (Harness settings = new Harness(SMS)) {
      config = settings.config;
    }
    TreeSet<String> ends = new TreeSet<>();
    Simulation.Output output =
        new Simulation.Output() {
          @Override
          public void verdict(SimulatedVerdict verdict) {
            if (!verdict.isDelayed()) ends.add(end(verdict.json()));
          }

          @Override
          public void notAnEvent(String why) {
            throw new AssertionError(why);
          }
        };
    java.util.function.Supplier<RedisMeter> none = () -> null;
    try (Simulation simulation = Simulation.start(config, none, folder)) {
      for (Sent each : events) simulation.feed(each.json(), output);
      while (simulation.delayed() > 0) simulation.runOn(output);
    }
    return ends;
  }

  private static String end(String json) {
    return end(id(json), field(json, "verdict"), field(json, "attempt"), field(json, "remaining"));
  }

  private static String field(String json, String name) {
    Matcher field = Pattern.compile("\"" + name + "\":\"?([a-z0-9]+)").matcher(json);
    return field.find() ? field.group(1) : "";
  }

  static LongStream seeds() {
    return LongStream.of(1, 2, 3, System.nanoTime());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void verdictsAreTheSameAtAnySpeed(long seed) {
    List<Sent> events = traffic(seed);
    TreeSet<String> live = live(events);
    assertThat(live).hasSize(EVENTS).anyMatch(end -> end.contains("allowed on attempt 2"));
    assertThat(backlog(events)).isEqualTo(live);
    assertThat(simulated(events)).isEqualTo(live);
  }

  /** In a backlog the wall clock is long past the due time. */
  @Test
  void inABacklogARetryDoesNotMoveTheClockAheadOfEventsStillToCome() {
    try (Harness sluice = new Harness(SMS)) {
      sluice.advanceWall(Duration.ofMillis(LATER_MS));
      sluice.send("ann", "sms", 0, "\"eventId\":\"a\"");
      sluice.send("ann", "sms", 0, "\"eventId\":\"b\"");
      assertThat(ids(sluice.allowed())).containsExactly("a");
      sluice.send("ann", "sms", 1_999, "\"eventId\":\"c\"");
      assertThat(sluice.delayed().get(1).header("sluice-release-at-ms"))
          .isEqualTo(Long.toString(Harness.NOON_MS + 2_000));
      sluice.send("ann", "sms", 2_000, "\"eventId\":\"d\"");
      assertThat(ids(sluice.allowed())).containsExactly("b");
    }
  }

  @Test
  void aRetryWaitsForTheWallClockToLeaveIfAnEventIsAheadOfIt() {
    try (Harness sluice = new Harness(SMS)) {
      sluice.send("ann", "sms", 0, "\"eventId\":\"a\"");
      sluice.send("ann", "sms", 0, "\"eventId\":\"b\"");
      sluice.send("bob", "sms", 30_000, "\"eventId\":\"ahead\"");
      sluice.send("ann", "sms", 3_000, "\"eventId\":\"c\"");
      assertThat(ids(sluice.allowed())).containsExactly("a", "ahead");
      sluice.runTo(1_999);
      assertThat(sluice.allowed()).isEmpty();
      sluice.runTo(2_001);
      assertThat(ids(sluice.allowed())).containsExactly("b");
    }
  }

  @Test
  void aReturnedAnnouncementIsNotMeteredOnceMore() {
    try (Harness sluice = new Harness(SMS)) {
      sluice.send("ann", "sms", 0, "\"eventId\":\"a\"");
      sluice.send("ann", "sms", 0, "\"eventId\":\"b\"");
      assertThat(sluice.delayed().get(0).header("sluice-release-to")).isEqualTo("held");
      sluice.runTo(60_000);
      assertThat(ids(sluice.allowed())).containsExactly("a", "b");
      assertThat(sluice.rejected()).isEmpty();
    }
  }

  private static List<String> ids(List<Harness.Out> outs) {
    return outs.stream().map(out -> id(out.text())).toList();
  }
}

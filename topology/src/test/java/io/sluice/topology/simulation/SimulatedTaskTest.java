package io.sluice.topology.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitRevision.UnreadableRevisionException;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.RevisionReader;
import io.sluice.testing.TestScale;
import io.sluice.topology.ThrottleTopology;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.simulation.SimulatedVerdict.Marks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that random events get the same verdicts, in the same order, as in Streams' own test
 * driver. The seeds are new each time; the names of the tests contain them.
 */
class SimulatedTaskTest {
  private static final int EVENTS = 4_000;
  private static final long BEGIN_MS = 1_700_000_000_000L;
  private static final List<String> ACTIONS =
      List.of("funnel", "log", "counter", "day", "bloom", "aims", "guess", "slow", "again", "free");

  private static final List<String> LIMITS =
      List.of(
          "funnel.quota=3/60s",
          "log.quota=2/30s",
          "log.algorithm=sliding-window-log",
          "log.count=attempts",
          "counter.quota=4/40s",
          "counter.algorithm=sliding-window-counter",
          "day.quota=5/hour",
          "day.algorithm=calendar-window",
          "bloom.quota=1/60s",
          "bloom.algorithm=bloom",
          "bloom.bloom.capacity=100",
          "aims.quota=2/60s",
          "aims.algorithm=sliding-window-log",
          "aims.distinct=target",
          "guess.quota=3/60s",
          "guess.algorithm=hyperloglog",
          "guess.distinct=target",
          "slow.quota=2/20s",
          "slow.exceeded=delay",
          "slow.delay.max=50s",
          "again.quota=2/25s",
          "again.algorithm=sliding-window-log",
          "again.exceeded=retry",
          "again.retry.attempts=3");

  private static final List<String> REVISIONS =
      List.of(
          "'limit':'funnel','set':{'quota':'1/60s'}",
          "'limit':'slow','set':{'quota':'5/20s'}",
          "'limit':'*','for':{'userId':'u1'},'set':{'verdict':'reject'}",
          "'limit':'again','for':{'userId':'u2'},'set':{'quota':'9/25s'}");

  /** Stands for stores that move to disk in the middle of the events. */
  private static final String SPILLS = "heap of 5000 bytes";

  @TempDir private Path folder;

  static Stream<Arguments> seedsAndSettings() {
    return TestScale.seeds(1, 10)
        .boxed()
        .flatMap(
            seed ->
                Stream.of(
                    Arguments.of(seed, ""),
                    Arguments.of(seed, "sluice.time=wall"),
                    Arguments.of(seed, "sluice.state.store=rocksdb"),
                    Arguments.of(seed, SPILLS),
                    Arguments.of(seed, "sluice.duplicates=repeat"),
                    Arguments.of(seed, "sluice.unmatched=reject")));
  }

  @ParameterizedTest
  @MethodSource("seedsAndSettings")
  void verdictsAreThoseOfTheTestDriver(long seed, String setting) throws Exception {
    SluiceConfig config = config(setting).simulated();
    List<LimitRevision> revisions = revisions();
    LimitsInForce limits = Simulation.limits(config(setting), revisions);
    List<String> here;
    try (Simulation simulation = start(setting, limits)) {
      here = run(simulation, new SplittableRandom(seed));
      if (setting.equals(SPILLS)) assertThat(storesOnDisk()).contains("limits", "waiting");
    }
    try (Simulation driven =
        new Simulation(
            config,
            limits,
            (decoder, clock, instruments) -> {
              EventOpener opener =
                  new EventOpener(
                      decoder, clock, config.timeMaxAhead(), each -> Marks.origin(each.headers()));
              return new DrivenTopology(
                  ThrottleTopology.build(config, () -> limits, 1, opener, () -> null),
                  config.topics(),
                  folder.resolve("driven"));
            })) {
      assertThat(here).isEqualTo(run(driven, new SplittableRandom(seed)));
    }
    assertThat(here).hasSizeGreaterThan(EVENTS);
    for (String each : List.of("delayed", "\"attempt\":3", "rejected", "no event: "))
      assertThat(here).anyMatch(line -> line.contains(each));
    assertThat(here.stream().anyMatch(line -> line.startsWith("late by")))
        .isEqualTo(config.judgesByEventTime());
  }

  private List<String> storesOnDisk() throws IOException {
    try (Stream<Path> stores = Files.list(folder.resolve("here").resolve("rocksdb"))) {
      return stores.map(each -> each.getFileName().toString()).toList();
    }
  }

  private Simulation start(String setting, LimitsInForce limits) {
    Path state = folder.resolve("here");
    if (!setting.equals(SPILLS)) {
      return Simulation.start(config(setting), limits, () -> null, state);
    }
    return Simulation.start(config(setting), limits, () -> null, state, 5_000);
  }

  private static SluiceConfig config(String setting) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("application.id", "a");
    all.put("bootstrap.servers", "nowhere:9092");
    all.put("sluice.topics.input", "one,two");
    all.put("sluice.limits", String.join(",", ACTIONS.subList(0, ACTIONS.size() - 1)));
    for (String action : ACTIONS.subList(0, ACTIONS.size() - 1)) {
      all.put("sluice.limit." + action + ".match.action", action);
    }
    for (String limit : LIMITS) put(all, "sluice.limit." + limit);
    if (setting.contains("=")) put(all, setting);
    return SluiceConfig.of(all);
  }

  private static void put(Map<String, String> all, String setting) {
    int equals = setting.indexOf('=');
    all.put(setting.substring(0, equals), setting.substring(equals + 1));
  }

  private static List<LimitRevision> revisions() throws UnreadableRevisionException {
    List<LimitRevision> all = new ArrayList<>();
    for (String each : REVISIONS) {
      long fromMs = BEGIN_MS + 100_000L * (all.size() + 1);
      String line = "{" + each + ",'effectiveAt':" + fromMs + ",'until':" + (fromMs + 500_000);
      all.add(new RevisionReader().ofLine(line.replace('\'', '"') + "}", all.size() + 1));
    }
    return all;
  }

  private static List<String> run(Simulation simulation, SplittableRandom random) {
    Lines lines = new Lines();
    long timeMs = BEGIN_MS;
    for (int i = 0; i < EVENTS; i++) {
      timeMs += step(random);
      simulation.feed(record(i, timeMs, random), lines);
    }
    while (simulation.delayed() > 0) simulation.runOn(lines);
    return lines.all;
  }

  /** Returns the time to the next event: mostly short, sometimes none or long, seldom negative. */
  private static long step(SplittableRandom random) {
    return switch (random.nextInt(40)) {
      case 0 -> random.nextLong(20_000);
      case 1 -> -random.nextLong(random.nextInt(10) == 0 ? 200_000 : 1_000);
      case 2, 3, 4, 5 -> 0;
      default -> random.nextLong(300);
    };
  }

  private static ConsumerRecord<byte[], byte[]> record(
      int i, long timeMs, SplittableRandom random) {
    String topic = List.of("one", "two", "elsewhere").get(random.nextInt(3));
    RecordHeaders headers = new RecordHeaders();
    if (random.nextInt(5) == 0) headers.add("sluice-verdict", "forged".getBytes(UTF_8));
    return new ConsumerRecord<>(
        topic,
        random.nextInt(3),
        i,
        timeMs - random.nextInt(100),
        TimestampType.CREATE_TIME,
        ConsumerRecord.NULL_SIZE,
        ConsumerRecord.NULL_SIZE,
        random.nextBoolean() ? null : new byte[] {(byte) i},
        value(timeMs, random),
        headers,
        Optional.empty());
  }

  private static byte[] value(long timeMs, SplittableRandom random) {
    if (random.nextInt(50) == 0) return "{\"userId\":\"nobody\"".getBytes(UTF_8);
    if (random.nextInt(100) == 0) return null;
    String action = ACTIONS.get(random.nextInt(ACTIONS.size()));
    StringBuilder json = new StringBuilder("{\"userId\":\"u").append(random.nextInt(6));
    json.append("\",\"action\":\"").append(action).append('"');
    json.append(",\"target\":\"t").append(random.nextInt(9)).append('"');
    if (random.nextInt(5) > 0) json.append(",\"occurredAt\":").append(timeMs);
    if (random.nextInt(5) > 0)
      json.append(",\"eventId\":\"e").append(random.nextInt(3_000)).append('"');
    if (random.nextInt(9) == 0 && action.length() > 3 && !action.equals("aims"))
      json.append(",\"cost\":").append(random.nextInt(4));
    return json.append('}').toString().getBytes(UTF_8);
  }

  /** Collects all results of a simulation as lines. */
  private static final class Lines implements Simulation.Output {
    final List<String> all = new ArrayList<>();

    @Override
    public void verdict(SimulatedVerdict verdict) {
      all.add(verdict.number() + " " + verdict.key() + " " + verdict.json());
    }

    @Override
    public void notAnEvent(String why) {
      all.add("no event: " + why);
    }

    @Override
    public void late(Duration behind) {
      all.add("late by " + behind);
    }
  }
}

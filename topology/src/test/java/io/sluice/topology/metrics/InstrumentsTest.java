package io.sluice.topology.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.limiter.Decision;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.LimitDecision;
import io.sluice.rules.limit.Verdict;
import io.sluice.topology.Harness;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.metrics.Instruments.VerdictCounts;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** Tests of the counts, as Kafka Streams' metrics show them. */
class InstrumentsTest {
  private static final String[] LIMITS = {
    "sluice.limits=reply,sms,watched",
    "sluice.limit.reply.match.action=reply",
    "sluice.limit.reply.quota=2/60s",
    "sluice.limit.sms.match.action=sms",
    "sluice.limit.sms.quota=1/2s",
    "sluice.limit.sms.exceeded=delay",
    "sluice.limit.sms.delay.max=3s",
    "sluice.limit.watched.match.action=reply,other",
    "sluice.limit.watched.quota=1/60s",
    "sluice.limit.watched.mode=shadow",
    "sluice.delay.tick=100"
  };

  private static final String[] CLASSES = {
    "sluice.limits=call",
    "sluice.limit.call.quota=1/2s",
    "sluice.limit.call.exceeded=queue",
    "sluice.queue.priority=attributes.kind",
    "sluice.queue.priorities=otp,*,bulk"
  };

  /** Returns all counts that are not 0, by name and tags. */
  private static Map<String, Double> counted(Harness sluice) {
    Map<String, Double> counted = new TreeMap<>();
    sluice
        .driver
        .metrics()
        .forEach(
            (name, metric) -> {
              if (!name.group().equals(MetricDefinition.GROUP)) return;
              double value = (Double) metric.metricValue();
              if (value != 0) counted.put(name.name() + new TreeMap<>(name.tags()), value);
            });
    return counted;
  }

  @Test
  void everyVerdictIsCountedOnceUnderTheLimitThatDecided() {
    try (Harness sluice = new Harness(LIMITS)) {
      for (int i = 0; i < 5; i++) sluice.send("ann", "reply", 0);
      for (int i = 0; i < 4; i++) sluice.send("ann", "sms", 0);
      sluice.send("ann", "other", 0);
      sluice.send("ann", "unlimited", 0);
      assertThat(counted(sluice))
          .containsOnly(
              Map.entry("events-total{limit=, verdict=allowed}", 2.0),
              Map.entry("events-total{limit=reply, verdict=allowed}", 2.0),
              Map.entry("events-total{limit=reply, verdict=rejected}", 3.0),
              Map.entry("events-total{limit=sms, verdict=allowed}", 1.0),
              Map.entry("events-total{limit=sms, verdict=delayed}", 1.0),
              Map.entry("events-total{limit=sms, verdict=rejected}", 2.0),
              Map.entry("shadow-events-total{limit=watched, verdict=allowed}", 1.0),
              Map.entry("shadow-events-total{limit=watched, verdict=rejected}", 5.0));
    }
  }

  @Test
  void whatIsDelayedIsCountedWhenItLeaves() {
    try (Harness sluice = new Harness(LIMITS)) {
      for (int i = 0; i < 2; i++) sluice.send("ann", "sms", 0);
      sluice.runTo(100);
      assertThat(counted(sluice)).containsEntry("delayed-events{}", 1.0);
      sluice.runTo(2_000);
      assertThat(counted(sluice))
          .containsEntry("released-events-total{}", 1.0)
          .doesNotContainKeys("delayed-events{}", "delayed-overdue-seconds{}");
    }
  }

  @Test
  void eventsInLineAreCountedUnderTheirLimit() {
    String[] limits = {
      "sluice.limits=call",
      "sluice.limit.call.quota=1/2s",
      "sluice.limit.call.exceeded=queue",
      "sluice.limit.call.queue.max.length=1",
      "sluice.delay.tick=100"
    };
    try (Harness sluice = new Harness(limits)) {
      for (int i = 0; i < 4; i++) sluice.send("ann", "call", 0);
      sluice.runTo(100);
      assertThat(counted(sluice))
          .containsEntry("queue-length{class=*, limit=call}", 1.0)
          .containsEntry("queue-rejections-total{limit=call, reason=queue-full}", 2.0)
          .containsKey("queue-oldest-seconds{class=*, limit=call}")
          .doesNotContainKey("queue-releases-total{class=*, limit=call}");
      sluice.runTo(2_100);
      assertThat(counted(sluice))
          .containsEntry("queue-releases-total{class=*, limit=call}", 1.0)
          .containsEntry("events-total{limit=call, verdict=allowed}", 2.0)
          .doesNotContainKeys(
              "queue-length{class=*, limit=call}", "queue-oldest-seconds{class=*, limit=call}");
    }
  }

  @Test
  void theMetricsOfEveryClassExistFromTheStart() {
    try (Harness sluice = new Harness(CLASSES)) {
      assertThat(classes(sluice, "queue-length")).containsExactlyInAnyOrder("otp", "*", "bulk");
      assertThat(classes(sluice, "queue-oldest-seconds")).hasSize(3);
      assertThat(classes(sluice, "queue-releases-total")).hasSize(3);
    }
  }

  private static List<String> classes(Harness sluice, String metric) {
    return sluice.driver.metrics().keySet().stream()
        .filter(name -> name.group().equals(MetricDefinition.GROUP))
        .filter(name -> name.name().equals(metric))
        .map(name -> name.tags().get("class"))
        .toList();
  }

  @Test
  void deadLettersAreCountedByWhatIsWrong() {
    try (Harness sluice = new Harness(LIMITS)) {
      for (String value :
          List.of(
              "",
              "garbage",
              "{\"userId\":",
              "{\"action\":\"reply\"}",
              "{\"userId\":\"ann\",\"action\":\"reply\",\"cost\":-1}",
              "{\"userId\":\"ann\",\"action\":\"reply\",\"occurredAt\":\"now\"}",
              "{\"userId\":\"ann\",\"action\":\"reply\",\"occurredAt\":4102444800000}")) {
        sluice.send(value.getBytes(UTF_8), new RecordHeaders());
      }
      Headers unscheduled = new RecordHeaders();
      sluice.delay(null, "{\"userId\":\"ann\",\"action\":\"x\"}".getBytes(UTF_8), unscheduled);
      assertThat(counted(sluice))
          .containsOnly(
              Map.entry("dead-letters-total{reason=empty}", 1.0),
              Map.entry("dead-letters-total{reason=unknown-format}", 1.0),
              Map.entry("dead-letters-total{reason=undecodable}", 1.0),
              Map.entry("dead-letters-total{reason=missing-field}", 1.0),
              Map.entry("dead-letters-total{reason=invalid-field}", 2.0),
              Map.entry("dead-letters-total{reason=in-future}", 1.0),
              Map.entry("dead-letters-total{reason=invalid-header}", 1.0));
    }
  }

  @Test
  void aLimitThatOnlyWatchesIsNeverSaidToHaveDecided() {
    SluiceConfig config = config();
    List<MetricDefinition> readings = new ArrayList<>();
    VerdictCounts counts = new VerdictCounts(config.limits().all(), readings::add);
    Limit watching = config.limits().all().get(2);
    Verdict.passed(watching).tell(counts); // the first limit, during an outage of Redis
    List<String> counted = new ArrayList<>();
    readings.forEach(
        each -> {
          if (each.value().getAsDouble() == 1)
            counted.add(each.name() + new TreeMap<>(each.tags()));
        });
    assertThat(counted).containsExactly("events{limit=, verdict=allowed}");
  }

  @Test
  void countingAVerdictAllocatesNothing() {
    SluiceConfig config = config();
    VerdictCounts counts = new VerdictCounts(config.limits().all(), each -> {});
    List<Limit> limits = config.limits().all();
    Verdict verdict = Verdict.unavailable(limits.get(0));
    LimitDecision shadow =
        new LimitDecision(limits.get(2), "", new Decision.Oversized(2, 1, 0, 0), 0);
    for (int i = 0; i < 10_000; i++) count(counts, verdict, shadow);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 100_000; i++) count(counts, verdict, shadow);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
  }

  private static void count(VerdictCounts counts, Verdict verdict, LimitDecision shadow) {
    verdict.tell(counts);
    counts.watched(shadow);
  }

  @Test
  void aRegistryOfTheCallersHasTheSame() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    SluiceConfig config = config();
    Instruments instruments =
        new Instruments(
            config.limits(), config.queueOrder(), config.usesRedis(), List.of(registry));
    instruments.countDeadLetter(FaultKind.EMPTY);
    instruments.count(Verdict.unmatched(true));
    for (int i = 0; i < 16; i++) {
      Instruments.Stopwatch stopwatch = instruments.stopwatch();
      for (int j = 0; j < 16; j++) {
        stopwatch.start();
        stopwatch.stop();
      }
    }
    System.gc(); // Micrometer's references are weak
    assertThat(registry.get("sluice.dead.letters").tag("reason", "empty").functionCounter().count())
        .isEqualTo(1);
    assertThat(
            registry
                .get("sluice.events")
                .tags("limit", "", "verdict", "rejected")
                .functionCounter()
                .count())
        .isEqualTo(1);
    assertThat(registry.get("sluice.metering").timer().count()).isEqualTo(16);
    assertThat(registry.find("sluice.redis.available").gauge()).as("no limit is on Redis").isNull();
    instruments.count(Verdict.unmatched(true)); // it is reachable until this line
  }

  private static SluiceConfig config() {
    Map<String, String> given = new TreeMap<>();
    given.put("bootstrap.servers", "localhost:9092");
    given.put("application.id", "test");
    for (String setting : LIMITS) {
      int equals = setting.indexOf('=');
      given.put(setting.substring(0, equals), setting.substring(equals + 1));
    }
    return SluiceConfig.of(given);
  }
}

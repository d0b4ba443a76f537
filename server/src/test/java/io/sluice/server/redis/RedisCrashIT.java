package io.sluice.server.redis;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.server.ChildSluice;
import io.sluice.testing.Load;
import io.sluice.testing.Outputs;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Test of an instance that commits seldom and is killed after far more events than Redis remembers
 * answers of: no more than those are processed again, and they get the same answers.
 */
@Tag("full") // an instance is killed, and its session must end
class RedisCrashIT {
  private static final int EVENTS = 47_000;
  private static final int KEPT = 20_000;
  private static final String[] LIMITS = {
    "sluice.limits=log,funnel",
    "sluice.limit.log.match.action=log",
    "sluice.limit.log.quota=5/1s",
    "sluice.limit.log.algorithm=sliding-window-log",
    "sluice.limit.log.backend=redis",
    "sluice.limit.funnel.match.action=funnel",
    "sluice.limit.funnel.quota=5/1s",
    "sluice.limit.funnel.backend=redis",
    "sluice.redis.timeout=500ms",
    "sluice.topics.partitions=1",
    "processing.guarantee=at_least_once",
    "commit.interval.ms=3600000",
    "consumer.session.timeout.ms=3000",
    "consumer.heartbeat.interval.ms=1000",
    "sluice.time.max.ahead=1d",
  };

  private final Servers servers = Servers.shared();

  @Test
  void whatComesAgainIsAnsweredTheSame() throws Exception {
    Map<String, String> settings = servers.settings(LIMITS);
    SluiceConfig config = SluiceConfig.of(settings);
    String bootstrap = servers.kafka.bootstrapServers();
    try (ChildSluice first = ChildSluice.start(settings);
        Load load = new Load(bootstrap, config.inputTopics().get(0));
        Outputs outputs = new Outputs(bootstrap, config.outputTopics())) {
      publish(load);
      await().atMost(Duration.ofMinutes(2)).until(() -> outputs.all().size() >= EVENTS);
      first.kill();
      try (ChildSluice second = ChildSluice.start(settings)) {
        load.publish("last", "log");
        await()
            .atMost(Duration.ofMinutes(2))
            .until(() -> outputs.all().stream().anyMatch(out -> out.user().equals("last")));
        assertThat(second.log()).doesNotContain("a stream thread failed");
      }
      List<Outputs.Out> all = outputs.all();
      Map<String, Set<String>> verdicts =
          all.stream().collect(groupingBy(Outputs.Out::id, mapping(Outputs.Out::verdict, toSet())));
      assertThat(verdicts).hasSize(EVENTS + 1);
      assertThat(verdicts.values()).as("verdicts of an event").allMatch(each -> each.size() == 1);
      assertThat(all.size() - EVENTS - 1).as("came again").isPositive().isLessThan(KEPT);
      Outputs.neverExceedFunnel(once(all), "funnel", 5, 1_000, 5);
    }
  }

  /** Publishes events of fifty users, each ten times a second. */
  private static void publish(Load load) throws Exception {
    long start = System.currentTimeMillis() - EVENTS * 2L;
    for (int i = 0; i < EVENTS; i++) {
      load.publish("user" + i % 50, i / 50 % 2 == 0 ? "log" : "funnel", start + i * 2L);
    }
    load.published();
  }

  private static List<Outputs.Out> once(List<Outputs.Out> all) {
    Set<String> seen = new HashSet<>();
    return all.stream().filter(out -> seen.add(out.id())).toList();
  }
}

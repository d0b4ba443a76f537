package io.sluice.server.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.server.ChildSluice;
import io.sluice.testing.Load;
import io.sluice.testing.Outputs;
import io.sluice.testing.Servers;
import io.sluice.testing.TestScale;
import io.sluice.topology.config.SluiceConfig;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Test of instances that join and fail, each in its own JVM: one joins while the other is busy,
 * which is then killed with events charged in Redis that are not committed.
 */
@Tag("full") // instances join and are halted under load
class RedisRebalanceIT {
  private static final int EVENTS = TestScale.of(20_000, 60_000);
  private static final String[] LIMITS = {
    "sluice.limits=log,funnel",
    "sluice.limit.log.match.action=log",
    "sluice.limit.log.quota=5/1s",
    "sluice.limit.log.algorithm=sliding-window-log",
    "sluice.limit.log.backend=redis",
    "sluice.limit.funnel.match.action=funnel",
    "sluice.limit.funnel.quota=5/1s",
    "sluice.limit.funnel.burst=3",
    "sluice.limit.funnel.backend=redis",
    "sluice.redis.timeout=500ms",
    "sluice.topics.partitions=4",
    "consumer.session.timeout.ms=4000",
    "consumer.heartbeat.interval.ms=1000",
    "producer.transaction.timeout.ms=4000",
  };

  private final Servers servers = Servers.shared();

  @Test
  void oneJoinsHalfWayAndOneIsHalted() throws Exception {
    Map<String, String> settings = servers.settings(LIMITS);
    SluiceConfig config = SluiceConfig.of(settings);
    String bootstrap = servers.kafka.bootstrapServers();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap));
        Instance first = new Instance(settings)) {
      awaitBusy(admin, config, 1);
      try (Load load = new Load(bootstrap, config.inputTopics().get(0));
          Outputs outputs = new Outputs(bootstrap, config.outputTopics())) {
        load.start(100, 80, "log", "funnel");
        awaitPublished(load, EVENTS / 3);
        try (Instance second = new Instance(settings)) {
          awaitBusy(admin, config, 2);
          awaitPublished(load, Math.max(2 * EVENTS / 3, load.count() + EVENTS / 12));
          first.halt();
          awaitPublished(load, Math.max(EVENTS, load.count() + EVENTS / 12));
          load.pause();
          List<String> published = load.published();
          await()
              .atMost(Duration.ofMinutes(2))
              .until(() -> outputs.all().size() >= published.size());
          second.end();
        }
        List<Outputs.Out> all = outputs.allToTheEnd();
        Outputs.areExactly(all, load.published());
        Outputs.neverExceedLog(all, "log", 5, 1_000);
        Outputs.neverExceedFunnel(all, "funnel", 5, 1_000, 3);
        for (String action : List.of("log", "funnel")) {
          assertThat(all)
              .filteredOn(out -> out.action().equals(action) && out.isAllowed())
              .as("nor is anybody kept below it")
              .hasSizeGreaterThan(0);
        }
      }
    }
  }

  private static void awaitPublished(Load load, long events) {
    await().atMost(Duration.ofMinutes(2)).until(() -> load.count() >= events);
  }

  /** Waits until so many members have partitions. */
  private static void awaitBusy(Admin admin, SluiceConfig config, int members) {
    String group = config.streams().getProperty("application.id");
    await()
        .atMost(Duration.ofMinutes(2))
        .ignoreExceptions()
        .until(
            () ->
                admin
                        .describeConsumerGroups(List.of(group))
                        .all()
                        .get()
                        .get(group)
                        .members()
                        .stream()
                        .filter(RedisRebalanceIT::hasPartitions)
                        .count()
                    == members);
  }

  private static boolean hasPartitions(MemberDescription member) {
    return !member.assignment().topicPartitions().isEmpty();
  }

  /** Instance in its own JVM. */
  private static final class Instance implements AutoCloseable {
    private final Process process;
    private final Thread kill;

    Instance(Map<String, String> settings) throws IOException {
      Path folder = Servers.folder();
      Properties properties = new Properties();
      properties.putAll(settings);
      properties.setProperty("state.dir", folder.resolve("state").toString());
      Path file = folder.resolve("sluice.properties");
      try (Writer writer = Files.newBufferedWriter(file)) {
        properties.store(writer, null);
      }
      process =
          new ProcessBuilder(
                  System.getProperty("java.home")
                      + File.separator
                      + "bin"
                      + File.separator
                      + "java",
                  "-Xmx256m",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  ChildSluice.class.getName(),
                  file.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      kill = new Thread(process::destroyForcibly);
      Runtime.getRuntime().addShutdownHook(kill);
    }

    /** Kills it with SIGKILL. */
    void halt() throws InterruptedException {
      process.destroyForcibly().waitFor();
    }

    /** Ends it with SIGTERM. */
    void end() throws InterruptedException {
      process.destroy();
      assertThat(process.waitFor()).isZero();
    }

    @Override
    public void close() {
      process.destroyForcibly();
      Runtime.getRuntime().removeShutdownHook(kill);
    }
  }
}

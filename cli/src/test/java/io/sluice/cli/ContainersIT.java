package io.sluice.cli;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import io.sluice.server.Sluice;
import io.sluice.testing.Load;
import io.sluice.testing.Outputs;
import io.sluice.testing.Servers;
import io.sluice.testing.SettingLines;
import io.sluice.topology.config.SluiceConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.lifecycle.Startables;

/** Sluice and its image with Kafka and Redis in containers. */
@Tag("slow") // builds an image and starts containers
@Testcontainers(disabledWithoutDocker = true)
class ContainersIT {
  private static final String IMAGE = "sluice:it";
  private static final String LIMITS =
      """
      sluice.limits=reply,post
      sluice.limit.reply.match.action=reply
      sluice.limit.reply.quota=5/60s
      sluice.limit.reply.algorithm=sliding-window-log
      sluice.limit.reply.backend=redis
      sluice.limit.post.match.action=post
      sluice.limit.post.quota=5/60s
      """;

  private static final Network NETWORK = Network.newNetwork();

  private static final KafkaContainer KAFKA =
      new KafkaContainer("apache/kafka:4.4.0").withNetwork(NETWORK).withListener("kafka:19092");

  private static final GenericContainer<?> REDIS =
      new GenericContainer<>("redis:7.4-alpine")
          .withNetwork(NETWORK)
          .withNetworkAliases("redis")
          .withExposedPorts(6379);

  @BeforeAll
  static void buildTheImage() throws Exception {
    assumeThat(Shell.has("docker")).as("a Docker engine that the docker command reaches").isTrue();
    new Shell(Map.of()).run(onPage("docker build -t "));
  }

  private static void startServers() {
    Startables.deepStart(KAFKA, REDIS).join();
  }

  @AfterAll
  static void stopServers() {
    KAFKA.stop();
    REDIS.stop();
  }

  /** Returns the command in docker/README.md that begins like this, with the image of this test. */
  private static String onPage(String beginning) throws IOException {
    try (Stream<String> lines = Files.lines(Shell.ROOT.resolve("docker/README.md"))) {
      return lines
          .filter(line -> line.startsWith(beginning))
          .map(line -> line.replaceFirst(" sluice\\b", " " + IMAGE))
          .findFirst()
          .orElseThrow();
    }
  }

  @Tag("full") // Kafka and Redis in containers
  @Test
  void bothBackendsAllowTheQuotaAndRejectTheRest() throws Exception {
    startServers();
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("bootstrap.servers", KAFKA.getBootstrapServers());
    settings.put("application.id", "process");
    settings.put("state.dir", Servers.folder().toString());
    settings.put("sluice.topics.input", "process-input");
    settings.put(
        "sluice.redis.uri", "redis://" + REDIS.getHost() + ":" + REDIS.getMappedPort(6379));
    SluiceConfig config = SluiceConfig.of(SettingLines.put(settings, LIMITS.split("\n")));
    try (Sluice sluice = Sluice.start(config);
        Load load = new Load(KAFKA.getBootstrapServers(), "process-input");
        Outputs outputs = new Outputs(KAFKA.getBootstrapServers(), config.outputTopics())) {
      assertThat(sluice.awaitRunning()).isTrue();
      for (int i = 0; i < 7; i++) {
        load.publish("ann", "reply");
        load.publish("ann", "post");
      }
      awaitAll(load, outputs);

      assertThat(
              outputs.all().stream()
                  .collect(groupingBy(out -> out.action() + " " + out.verdict(), counting())))
          .isEqualTo(
              Map.of(
                  "reply allowed",
                  5L,
                  "reply rejected",
                  2L,
                  "post allowed",
                  5L,
                  "post rejected",
                  2L));
    }
  }

  @Tag("full") // two instances in containers share thousands of events
  @Test
  void theImageLosesNothingWhenItIsToldToEnd() throws Exception {
    startServers();
    try (Load load = new Load(KAFKA.getBootstrapServers(), "image-input");
        GenericContainer<?> first = sluice()) {
      first.start();
      assertThat(first.execInContainer("id", "-u").getStdout().trim()).isNotEqualTo("0");
      assertThat(first.execInContainer("cat", "/proc/1/comm").getStdout()).isEqualTo("java\n");
      try (Outputs outputs = new Outputs(KAFKA.getBootstrapServers(), outputTopics())) {
        load.start(20, 100, "reply", "post");
        await().atMost(Duration.ofMinutes(1)).until(() -> outputs.all().size() > 500);

        assertThat(stopped(first).getExitCodeLong()).isZero();
        assertThat(first.getLogs()).doesNotContain("ERROR", "Exception");
        assertThat(members()).isEmpty();

        try (GenericContainer<?> second = sluice()) {
          second.start();
          load.pause();
          awaitAll(load, outputs);
        }
        Outputs.areExactly(outputs.all(), load.published());
        Outputs.neverExceedLog(outputs.all(), "reply", 5, 60_000);
        Outputs.neverExceedFunnel(outputs.all(), "post", 5, 60_000, 5);
      }
    }
  }

  @Test
  void theImageComesWithoutTheEmbeddedServersAndWhatTestsNeed() throws Exception {
    String jars =
        new Shell(Map.of())
            .run("docker run --rm --entrypoint ls " + IMAGE + " /opt/sluice /opt/sluice/lib");

    assertThat(jars)
        .contains(
            "sluice-cli",
            "sluice-topology",
            "sluice-limiter",
            "sluice-schemas",
            "kafka-streams",
            "jedis")
        .doesNotContain("embedded", "kafka_2", "kafka-server", "scala", "junit", "testcontainers");
  }

  @Test
  void theImageHasTheLicencesOfWhatItContains() throws Exception {
    String list =
        new Shell(Map.of())
            .run(
                "docker run --rm --entrypoint sh "
                    + IMAGE
                    + " -c 'cd /opt/sluice && ls LICENSE NOTICE && cat THIRD-PARTY.txt'");

    assertThat(list)
        .contains("LICENSE", "NOTICE", "org.apache.kafka:kafka-streams", "redis.clients:jedis")
        .doesNotContain("embedded-redis");
  }

  @Test
  void theImageReadsTheFileThatIsMounted(@TempDir Path folder) throws Exception {
    String servers =
        """
        bootstrap.servers=kafka:9092
        application.id=mounted
        sluice.redis.uri=redis://redis:6379
        """;
    Files.writeString(folder.resolve("my.properties"), servers + LIMITS);
    String run = onPage("docker run -v ").replaceFirst("run", "run --rm");
    String check = " config --check /etc/sluice/sluice.properties";

    assertThat(new Shell(Map.of()).run("cd " + folder + " && " + run + check))
        .contains("mounted on kafka:9092", "at most 5 in any 60 s per userId");
  }

  /** Container with an instance, which is healthy after its start. */
  private static GenericContainer<?> sluice() {
    return new GenericContainer<>(IMAGE)
        .withNetwork(NETWORK)
        .withCopyToContainer(Transferable.of(LIMITS), "/etc/sluice/sluice.properties")
        .withEnv("SLUICE_KAFKA_BOOTSTRAP_SERVERS", "kafka:19092")
        .withEnv("SLUICE_KAFKA_APPLICATION_ID", "image")
        .withEnv("SLUICE_REDIS_URI", "redis://redis:6379")
        .withEnv("SLUICE_REDIS_KEY_PREFIX", "image")
        .withEnv("SLUICE_TOPICS_INPUT", "image-input")
        .withEnv("SLUICE_TOPICS_ALLOWED", "image-allowed")
        .withEnv("SLUICE_TOPICS_REJECTED", "image-rejected")
        .withEnv("SLUICE_TOPICS_DELAYED", "image-delayed")
        .withEnv("SLUICE_TOPICS_DEAD___LETTER", "image-dead-letter")
        .waitingFor(Wait.forHealthcheck().withStartupTimeout(Duration.ofMinutes(2)));
  }

  private static List<String> outputTopics() {
    return List.of("image-allowed", "image-rejected", "image-dead-letter");
  }

  /** Stops a container like {@code docker stop}, which kills processes that run on after 10 s. */
  private static ContainerState stopped(GenericContainer<?> container) {
    var docker = container.getDockerClient();
    docker.stopContainerCmd(container.getContainerId()).withTimeout(10).exec();
    return docker.inspectContainerCmd(container.getContainerId()).exec().getState();
  }

  private static Iterable<?> members() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", KAFKA.getBootstrapServers()))) {
      return admin.describeConsumerGroups(List.of("image")).all().get().get("image").members();
    }
  }

  private static void awaitAll(Load load, Outputs outputs) throws Exception {
    int published = load.published().size();
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(outputs.all()).hasSizeGreaterThanOrEqualTo(published));
  }
}

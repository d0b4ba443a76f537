package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testcontainers.junit.jupiter.Testcontainers;

/** The commands in docker/README.md do what the page says. */
@Tag("full") // builds images and starts five containers
@Testcontainers(disabledWithoutDocker = true)
class ComposeIT {
  private static final String COMPOSE = "docker compose -f docker/compose.yaml ";

  private String compose = "";

  /** Other ports than the default ones, which may be in use on this machine. */
  private final Shell shell =
      new Shell(
          Map.of(
              "COMPOSE_PROJECT_NAME", "sluice-it",
              "KAFKA_PORT", freePort(),
              "REDIS_PORT", freePort()));

  @BeforeEach
  void findCompose() {
    assumeThat(Shell.has("docker")).as("a Docker engine that the docker command reaches").isTrue();
    if (Shell.has("docker-compose")) compose = "docker-compose";
    else if (Shell.has("docker compose")) compose = "docker compose";
    assumeThat(compose).as("Docker Compose").isNotEmpty();
  }

  @Test
  void sixRepliesAreFiveAllowedAndOneRejected() throws Exception {
    List<String> commands = commands();
    String down = commands.remove(commands.size() - 2);
    commands.remove(commands.size() - 1); // with Prometheus and Grafana; tested separately
    List<String> said = new ArrayList<>();
    try {
      for (String command : commands) {
        said.add(run(command));
        if (said.size() == 1) awaitSluice();
      }
    } finally {
      run(down);
    }
    assertThat(said).hasSize(4);
    assertThat(said.get(2).lines().filter(line -> line.startsWith("sluice-verdict:allowed,")))
        .hasSize(5)
        .allMatch(line -> line.endsWith("\t{\"userId\":\"ada\",\"action\":\"reply\"}"));
    assertThat(said.get(3).lines().filter(line -> line.startsWith("sluice-verdict:rejected,")))
        .singleElement()
        .asString()
        .contains("sluice-reason:over-limit,sluice-limit:reply,sluice-remaining:0");
  }

  /**
   * Waits until Sluice is healthy: the console producer gives up after a minute if the topic is
   * missing.
   */
  private void awaitSluice() {
    String healthy =
        "docker ps -q --filter health=healthy"
            + " --filter label=com.docker.compose.project=sluice-it"
            + " --filter label=com.docker.compose.service=sluice";
    await()
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofMillis(500))
        .until(() -> !shell.run(healthy).isBlank());
  }

  @Test
  void theObservabilityProfileIsSound() throws Exception {
    String services = run(COMPOSE + "--profile observability config --services");

    assertThat(services.lines()).contains("kafka", "redis", "sluice", "prometheus", "grafana");
  }

  /**
   * Returns the Compose commands on the page, in order; the last two stop it and start it with more
   * services.
   */
  private static List<String> commands() throws IOException {
    List<String> lines = Files.readAllLines(Shell.ROOT.resolve("docker/README.md"));
    List<String> commands = new ArrayList<>();
    lines.stream().filter(line -> line.startsWith(COMPOSE)).forEach(commands::add);
    assertThat(commands).hasSize(6);
    assertThat(commands.get(4)).endsWith("down -v");
    return commands;
  }

  private String run(String command) throws IOException, InterruptedException {
    return shell.run(command.replaceFirst("^docker compose", compose));
  }

  private static String freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return Integer.toString(socket.getLocalPort());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}

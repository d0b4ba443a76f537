package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.config.ConfigReport;
import io.sluice.topology.config.SluiceConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whether the manifests fit what they run; {@code .ci/manifests} compares them with Kubernetes'
 * schemas.
 */
class KubernetesTest {
  private static final Path FOLDER = Path.of("../docker/kubernetes");
  private static final Pattern VARIABLE = Pattern.compile("(?m)^  (SLUICE_\\w+): (.*)$");
  private static final Pattern PROBE = Pattern.compile("path: (/\\S+)\n +port: (\\w+)");

  @TempDir private Path folder;
  private final String instances = read("sluice.yaml");
  private final String scaling = read("scaling.yaml");

  private static String read(String name) {
    try {
      return Files.readString(FOLDER.resolve(name));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String found(String text, String pattern) {
    MatchResult match = Pattern.compile(pattern).matcher(text).results().findFirst().orElseThrow();
    return match.group(1);
  }

  /** With the file and the variables that a container gets. */
  private SluiceConfig config() throws IOException {
    String block = found(instances, "(?s)  sluice.properties: \\|\n(.*?)\n---");
    Path file =
        Files.writeString(folder.resolve("sluice.properties"), block.replaceAll("(?m)^    ", ""));
    Map<String, String> variables = new HashMap<>();
    VARIABLE
        .matcher(instances)
        .results()
        .forEach(each -> variables.put(each.group(1), each.group(2)));
    variables.put(
        "SLUICE_HTTP_ADVERTISED",
        found(instances, "value: (\\$\\(POD_IP\\):\\d+)").replace("$(POD_IP)", "10.0.0.1"));
    return SluiceConfig.load(file, variables);
  }

  @Test
  void theConfigurationIsSound() throws IOException {
    assertThat(ConfigReport.warnings(config())).isEmpty();
  }

  @Test
  void theProbesAskForWhatThePortServes() throws IOException {
    String served = Files.readString(Path.of("../docs/metrics.md"));
    assertThat(PROBE.matcher(instances).results())
        .hasSize(2)
        .allSatisfy(probe -> assertThat(served).contains("| `" + probe.group(1) + "` |"));
    String port = found(instances, "sluice\\.http\\.port=(\\d+)");
    assertThat(instances)
        .contains(
            "containerPort: " + port,
            "prometheus.io/port: \"" + port + "\"",
            "$(POD_IP):" + port,
            "- name: http\n      port: " + port);
  }

  @Test
  void theLagIsThatOfTheGroupThatReads() throws IOException {
    assertThat(scaling)
        .contains(
            "consumerGroup: " + found(instances, "application\\.id=(\\S+)"),
            "bootstrapServers: " + found(instances, "bootstrap\\.servers=(\\S+)"),
            "topic: " + config().inputTopics().get(0));
  }
}

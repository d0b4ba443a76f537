package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.config.ConfigReport;
import io.sluice.topology.config.SluiceConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.kafka.streams.state.HostInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The Kubernetes manifests fit the configuration and endpoints of Sluice. {@code .ci/manifests}
 * compares them with Kubernetes' schemas.
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

  /** Loads the configuration from the file and the environment variables of a container. */
  private SluiceConfig config(String podIp) throws IOException {
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
        found(instances, "name: SLUICE_HTTP_ADVERTISED\n +value: \"?([^\"\n]+)")
            .replace("$(POD_IP)", podIp));
    return SluiceConfig.load(file, variables);
  }

  @ParameterizedTest
  @CsvSource({"10.0.0.1,10.0.0.1:9464", "fd00:10:244::7,[fd00:10:244::7]:9464"})
  void theConfigurationIsSound(String podIp, String advertised) throws IOException {
    SluiceConfig config = config(podIp);
    assertThat(ConfigReport.warnings(config)).isEmpty();
    assertThat(config.http().advertised()).isEqualTo(advertised);
    assertThat(HostInfo.buildFromEndpoint(advertised).host()).isEqualTo(podIp);
    assertThat(URI.create("http://" + advertised).getPort()).isEqualTo(9464);
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
            "[$(POD_IP)]:" + port,
            "- name: http\n      port: " + port);
  }

  @Test
  void theLagIsThatOfTheGroupThatReads() throws IOException {
    assertThat(scaling)
        .contains(
            "consumerGroup: " + found(instances, "application\\.id=(\\S+)"),
            "bootstrapServers: " + found(instances, "bootstrap\\.servers=(\\S+)"),
            "topic: " + config("10.0.0.1").inputTopics().get(0));
  }
}

package io.sluice.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Tests that the dashboard's metrics exist, since Grafana shows an empty panel for a missing one.
 */
class DashboardTest {
  private static final String SOURCE = "${datasource}";
  private static final String JOB = "job=\"$job\"";
  private static final Path FILE = Path.of("../docker/grafana/dashboards/sluice.json");
  private static final Path SOURCES =
      Path.of("../docker/grafana/provisioning/datasources/prometheus.yaml");

  private final JsonNode dashboard = new ObjectMapper().readTree(FILE.toFile());

  DashboardTest() throws IOException {}

  @Test
  void everyMetricOfTheDashboardIsOneThatThePageDescribes() throws IOException {
    List<String> asked = dashboard.findValuesAsText("expr");
    assertThat(asked).isNotEmpty();
    for (String expression : asked) DescribedMetrics.assertAreDescribed(expression);
  }

  @Test
  void everyQueryAsksTheSourceAndTheJobThatAreSelected() {
    JsonNode panels = dashboard.get("panels");
    assertThat(panels)
        .isNotEmpty()
        .allSatisfy(
            panel -> {
              assertThat(panel.at("/datasource/uid").asText()).isEqualTo(SOURCE);
              assertThat(panel.get("targets"))
                  .isNotEmpty()
                  .allSatisfy(target -> assertAsksWhatIsSelected(target));
            });
    assertThat(new TreeSet<>(panels.findValuesAsText("uid"))).containsExactly(SOURCE);
  }

  private static void assertAsksWhatIsSelected(JsonNode target) {
    String expression = target.get("expr").asText();
    assertThat(target.at("/datasource/uid").asText()).isEqualTo(SOURCE);
    assertThat(expression.split("\\{", -1))
        .as(expression)
        .hasSizeGreaterThan(1)
        .hasSameSizeAs(expression.split("\\{" + Pattern.quote(JOB), -1));
    assertThat(DescribedMetrics.in(expression)).hasSize(expression.split("\\{", -1).length - 1);
  }

  @Test
  void whatIsSelectedAtFirstIsWhatComposeProvides() throws IOException {
    JsonNode source = variable("datasource");
    assertThat(source.get("type").asText()).isEqualTo("datasource");
    assertThat(source.get("query").asText()).isEqualTo("prometheus");
    assertThat(SOURCES)
        .content()
        .contains("uid: " + source.at("/current/value").asText() + "\n")
        .contains("name: " + source.at("/current/text").asText() + "\n");

    JsonNode job = variable("job");
    assertThat(job.at("/datasource/uid").asText()).isEqualTo(SOURCE);
    assertThat(Path.of("../docker/prometheus/prometheus.yaml"))
        .content()
        .contains("job_name: " + job.at("/current/value").asText() + "\n");
    DescribedMetrics.assertAreDescribed(job.at("/query/query").asText());
  }

  private JsonNode variable(String name) {
    for (JsonNode each : dashboard.at("/templating/list")) {
      if (each.get("name").asText().equals(name)) return each;
    }
    throw new AssertionError("no variable " + name);
  }
}

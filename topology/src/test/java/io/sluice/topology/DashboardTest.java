package io.sluice.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Grafana shows an empty panel for a metric that does not exist, and says nothing. */
class DashboardTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern ASKED = Pattern.compile("((?:sluice|kafka)_\\w+)\\{");

  @Test
  void everyMetricOfTheDashboardIsOneThatThePageDescribes() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/metrics.md"));
    String dashboard = Files.readString(ROOT.resolve("docker/grafana/dashboards/sluice.json"));
    List<String> asked =
        ASKED
            .matcher(dashboard)
            .results()
            .map(MatchResult::group)
            .map(metric -> metric.replaceAll("(_sum|_count)?\\{$", ""))
            .toList();

    assertThat(asked)
        .isNotEmpty()
        .allSatisfy(metric -> assertThat(page).contains("`" + metric + "`"));
  }
}

package io.sluice.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that the alerts are those of the manual; {@code .ci/alerts} makes Prometheus fire them. */
class AlertsTest {
  private static final Path FOLDER = Path.of("../docker/prometheus");
  private static final Pattern ROW = Pattern.compile("(?m)^\\|.*\\| `(Sluice\\w+)` \\|$");
  private static final Pattern TESTED = Pattern.compile("alertname: (\\w+)");
  private static final String BEGIN = "- alert: ";

  private final Map<String, String> alerts = new TreeMap<>();

  AlertsTest() throws IOException {
    String[] parts = Files.readString(FOLDER.resolve("alerts.yaml")).split(BEGIN, -1);
    for (int i = 1; i < parts.length; i++) {
      int end = parts[i].indexOf('\n');
      alerts.put(parts[i].substring(0, end), parts[i].substring(end));
    }
  }

  private static List<String> found(Pattern pattern, Path file) throws IOException {
    return pattern.matcher(Files.readString(file)).results().map(AlertsTest::first).toList();
  }

  private static String first(MatchResult match) {
    return match.group(1);
  }

  @Test
  void eachRowOfTheManualHasItsAlertAndEachAlertItsRow() throws IOException {
    assertThat(found(ROW, Path.of("../docs/running.md")))
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(alerts.keySet());
  }

  @Test
  void eachAlertIsTestedToFireAndNotToFire() throws IOException {
    List<String> tested = found(TESTED, FOLDER.resolve("alerts-test.yaml"));
    String tests = Files.readString(FOLDER.resolve("alerts-test.yaml"));
    assertThat(alerts.keySet())
        .allSatisfy(
            alert -> {
              assertThat(tested).filteredOn(alert::equals).hasSizeGreaterThanOrEqualTo(2);
              assertThat(tests)
                  .containsPattern("alertname: " + alert + "\n +exp_alerts:")
                  .containsPattern("alertname: " + alert + " }");
            });
  }

  @Test
  void everyMetricOfAnAlertIsOneThatThePageDescribes() throws IOException {
    for (String alert : alerts.values()) {
      if (!alert.contains("absent(up{")) DescribedMetrics.assertAreDescribed(alert);
    }
  }

  @Test
  void eachSaysHowBadItIsAndWhatToDo() {
    assertThat(alerts.values())
        .allSatisfy(
            alert ->
                assertThat(alert)
                    .containsPattern("\n +severity: (warning|critical)\n")
                    .contains("\n          summary: ", "\n          description: "));
  }

  /** An expression without the job would also match other applications. */
  @Test
  void eachLooksAtOneJob() {
    assertThat(alerts.values())
        .allSatisfy(
            alert ->
                assertThat(
                        alert.split("(?:\\b(?:sluice|kafka)_\\w+|\\bup)\\b(?!\\{job=\"sluice\")"))
                    .hasSize(1));
  }
}

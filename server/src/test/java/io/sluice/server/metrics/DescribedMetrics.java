package io.sluice.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Metrics in the manual, which {@link MetricsIT} compares with those of an instance. */
final class DescribedMetrics {
  private static final Path PAGE = Path.of("../docs/metrics.md");
  private static final Pattern NAME = Pattern.compile("\\b(?:sluice|kafka)_\\w+");

  private DescribedMetrics() {}

  /** Names of the metrics in a PromQL query, including repeated ones. */
  static List<String> in(String query) {
    return NAME.matcher(query).results().map(MatchResult::group).toList();
  }

  /**
   * Asserts that a query names metrics and the manual describes all of them; a histogram's sum and
   * count are described with it.
   */
  static void assertAreDescribed(String query) throws IOException {
    String page = Files.readString(PAGE);
    assertThat(in(query))
        .as(query)
        .isNotEmpty()
        .allSatisfy(
            metric ->
                assertThat(page)
                    .contains("| `" + metric.replaceFirst("_(sum|count)$", "") + "` |"));
  }
}

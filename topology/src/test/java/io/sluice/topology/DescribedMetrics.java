package io.sluice.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The metrics of the manual, which {@link MetricsIT} compares with what an instance serves. */
final class DescribedMetrics {
  private static final Path PAGE = Path.of("../docs/metrics.md");
  private static final Pattern NAME = Pattern.compile("\\b(?:sluice|kafka)_\\w+");

  private DescribedMetrics() {}

  /** Those that a text in Prometheus' language names, again if it names one again. */
  static List<String> in(String query) {
    return NAME.matcher(query).results().map(MatchResult::group).toList();
  }

  /** That it names some, all of which are described; of a histogram also its sum and its count. */
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

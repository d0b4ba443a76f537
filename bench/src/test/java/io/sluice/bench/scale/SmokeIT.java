package io.sluice.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bench.lab.Laboratory;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The runs of {@link Scale} work and give right results; their speed is not checked. */
@Tag("full") // instances join and leave
class SmokeIT {
  @TempDir Path folder;

  @Test
  void keysDelayedEventsAndLinesAreMeasured() throws Exception {
    ScalePlan plan =
        new ScalePlan(
            List.of("rocksdb"), List.of(500), List.of(300), List.of(2_000), 1_000, 200, false);

    Scale.Results results;
    try (Laboratory laboratory =
        new Laboratory(
            new PrintWriter(new StringWriter()),
            Map.of("processing.guarantee", "exactly_once_v2"))) {
      results = new Scale(laboratory, plan).run();
    }

    assertThat(results.keys())
        .singleElement()
        .satisfies(
            point -> {
              assertThat(point.keys()).isEqualTo(500);
              assertThat(point.perSecond()).isPositive();
              assertThat(point.diskBytes()).isPositive();
              assertThat(point.restoreMillis()).isPositive();
            });
    assertThat(results.delays())
        .singleElement()
        .satisfies(
            point -> {
              assertThat(point.waiting()).isEqualTo(300);
              assertThat(point.publishMillis()).isPositive();
              assertThat(point.restoreMillis()).isPositive();
              assertThat(point.longestWakeMillis()).isGreaterThanOrEqualTo(point.wakeMillis());
            });
    assertThat(results.lines())
        .singleElement()
        .satisfies(
            point -> {
              assertThat(point.waiting()).isEqualTo(2_000);
              assertThat(point.restoreMillis()).isPositive();
              assertThat(point.threadShare()).isPositive();
              assertThat(point.releasesPerSecond()).isPositive();
            });
    assertThat(results.leftOut()).isEmpty();
    assertThat(new ScaleReport(Map.of(), results).write(folder))
        .anyMatch(line -> line.startsWith("| 500 "))
        .anyMatch(line -> line.startsWith("| 300 "))
        .anyMatch(line -> line.startsWith("| 2,000 "));
    assertThat(folder.resolve("scale.svg")).content().contains("rocksdb").endsWith("</svg>\n");
  }
}

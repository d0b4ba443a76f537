package io.sluice.bench.scale;

import io.sluice.bench.report.JsonReport;
import io.sluice.bench.report.MarkdownTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Results of a {@link Scale} run as tables, as a chart and as JSON. */
public record ScaleReport(Map<String, String> facts, Scale.Results results) {
  private static final String COUNT = "%,.0f";
  private static final String FIGURE = "%.1f";

  /** Writes the chart and the JSON file to a folder, and returns the lines of the tables. */
  public List<String> write(Path folder) throws IOException {
    Files.writeString(folder.resolve("scale.svg"), svg());
    JsonReport.write(folder.resolve("scale.json"), facts, results);
    return lines();
  }

  private String svg() {
    List<KeyPoint> keys = results.keys();
    List<DelayPoint> delays = results.delays();
    List<QueuePoint> lines = results.lines();
    return Curves.svg(
        List.of(
            new Curves<>("CPU us an event, by keys", keys, KeyPoint::cpuMicros),
            new Curves<>(
                "First output after a start, s, by keys", keys, each -> each.restoreMillis() / 1e3),
            new Curves<>(
                "A wake of the shaper, ms, by delayed events", delays, DelayPoint::wakeMillis),
            new Curves<>(
                "Restored after a start, s, by delayed events",
                delays,
                each -> each.restoreMillis() / 1e3),
            new Curves<>("Releases/s at most, by lines", lines, QueuePoint::releasesPerSecond),
            new Curves<>(
                "Restored after a start, s, by lines", lines, each -> each.restoreMillis() / 1e3)));
  }

  List<String> lines() {
    List<String> keys =
        new MarkdownTable<>(results.keys())
            .figure("keys", COUNT, KeyPoint::keys)
            .text("store", KeyPoint::store)
            .figure("events/s", COUNT, KeyPoint::perSecond)
            .figure("CPU us", FIGURE, KeyPoint::cpuMicros)
            .figure("heap bytes a key", COUNT, ScaleReport::heap)
            .figure("disk bytes a key", COUNT, ScaleReport::disk)
            .figure("first output after s", FIGURE, each -> each.restoreMillis() / 1e3)
            .lines();
    List<String> delays =
        new MarkdownTable<>(results.delays())
            .figure("delayed events", COUNT, DelayPoint::waiting)
            .text("store", DelayPoint::store)
            .figure("a wake ms", "%.2f", DelayPoint::wakeMillis)
            .figure("longest", "%.2f", DelayPoint::longestWakeMillis)
            .figure("heap bytes an event", COUNT, ScaleReport::heap)
            .figure("published in s", FIGURE, each -> each.publishMillis() / 1e3)
            .figure("restored in s", FIGURE, each -> each.restoreMillis() / 1e3)
            .lines();
    List<String> lines =
        new MarkdownTable<>(results.lines())
            .figure("lines", COUNT, QueuePoint::waiting)
            .text("store", QueuePoint::store)
            .figure("% of a core", FIGURE, each -> 100 * each.threadShare())
            .figure("releases/s", COUNT, QueuePoint::releasesPerSecond)
            .figure("heap bytes a line", COUNT, ScaleReport::heap)
            .figure("published in s", FIGURE, each -> each.publishMillis() / 1e3)
            .figure("restored in s", FIGURE, each -> each.restoreMillis() / 1e3)
            .lines();
    return MarkdownTable.join(List.of(keys, delays, lines, results.leftOut()));
  }

  private static double heap(ScalePoint point) {
    return point.heapBytes() < Heap.LEAST_TOLD_BYTES ? Double.NaN : point.heapBytesEach();
  }

  private static double disk(KeyPoint point) {
    return point.store().equals("rocksdb") ? point.diskBytesEach() : Double.NaN;
  }
}

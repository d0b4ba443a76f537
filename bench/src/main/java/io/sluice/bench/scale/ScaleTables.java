package io.sluice.bench.scale;

import io.sluice.bench.report.MarkdownTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Markdown tables of the results of a {@link Scale} run. */
record ScaleTables(Scale.Results results) {

  List<String> lines() {
    List<String> lines = new ArrayList<>(keys());
    lines.add("");
    lines.addAll(delays());
    if (!results.leftOut().isEmpty()) lines.add("");
    lines.addAll(results.leftOut());
    return lines;
  }

  private List<String> keys() {
    MarkdownTable table =
        new MarkdownTable(
            "keys",
            "store",
            "events/s",
            "CPU us",
            "heap bytes a key",
            "disk bytes a key",
            "first output after s");
    for (KeyPoint each : results.keys()) {
      boolean onDisk = each.store().equals("rocksdb");
      table.row(
          count(each.keys()),
          each.store(),
          count(each.perSecond()),
          figure(each.cpuMicros()),
          heap(each.heapBytes(), each.heapBytesEach()),
          onDisk ? count(each.diskBytesEach()) : "",
          figure(each.restoreMillis() / 1e3));
    }
    return table.lines();
  }

  private List<String> delays() {
    MarkdownTable table =
        new MarkdownTable(
            "delayed events",
            "store",
            "a wake ms",
            "longest",
            "heap bytes an event",
            "published in s",
            "restored in s");
    for (DelayPoint each : results.delays()) {
      table.row(
          count(each.waiting()),
          each.store(),
          String.format(Locale.ROOT, "%.2f", each.wakeMillis()),
          String.format(Locale.ROOT, "%.2f", each.longestWakeMillis()),
          heap(each.heapBytes(), each.heapBytesEach()),
          figure(each.publishMillis() / 1e3),
          figure(each.restoreMillis() / 1e3));
    }
    return table.lines();
  }

  private static String heap(long bytes, double each) {
    return bytes < Heap.LEAST_TOLD_BYTES ? "" : count(each);
  }

  private static String count(double figure) {
    return String.format(Locale.ROOT, "%,.0f", figure);
  }

  private static String figure(double figure) {
    return String.format(Locale.ROOT, "%.1f", figure);
  }
}

package io.sluice.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The figures of a throughput run as tables, for people. */
final class ThroughputTables {
  private final Results results;

  ThroughputTables(Results results) {
    this.results = results;
  }

  List<String> lines() {
    MarkdownTable table =
        new MarkdownTable(
            "variant", "events/s", "least", "most", "of pass-through", "least", "most", "CPU us");
    for (String name : results.names()) {
      Spread rate = results.perSecond(name);
      Spread ratio = results.ratio(name, Variants.PASS_THROUGH);
      table.row(
          name,
          count(rate.median()),
          count(rate.least()),
          count(rate.most()),
          share(ratio.median()),
          share(ratio.least()),
          share(ratio.most()),
          times(results.cpuMicrosPerEvent(name).median()));
    }
    List<String> lines = new ArrayList<>(table.lines());
    List<String> comparisons = comparisons();
    if (!comparisons.isEmpty()) lines.add("");
    lines.addAll(comparisons);
    return lines;
  }

  private List<String> comparisons() {
    MarkdownTable table = new MarkdownTable("compared", "times", "least", "most");
    boolean any = false;
    for (Comparison each : Comparison.ALL) {
      if (!results.names().containsAll(List.of(each.name(), each.to()))) continue;
      any = true;
      Spread times = results.ratio(each.name(), each.to());
      table.row(
          each.name() + " : " + each.to(),
          share(times.median()),
          share(times.least()),
          share(times.most()));
    }
    return any ? table.lines() : List.of();
  }

  private static String count(double figure) {
    return String.format(Locale.ROOT, "%,.0f", figure);
  }

  private static String share(double figure) {
    return String.format(Locale.ROOT, "%.3f", figure);
  }

  private static String times(double figure) {
    return String.format(Locale.ROOT, "%.1f", figure);
  }
}

package io.sluice.bench.throughput;

import io.sluice.bench.report.MarkdownTable;
import io.sluice.bench.report.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Markdown tables of the results of a throughput run. */
final class ThroughputTables {
  private static final double KB = 1_000;

  /**
   * Least CPU time of Redis per event that is shown, in microseconds; smaller values are left out,
   * because an idle Redis also uses some CPU time.
   */
  private static final double LEAST_SHOWN = 0.1;

  private final Results results;
  private final List<Wanted> wanted;

  ThroughputTables(Results results, List<Wanted> wanted) {
    this.results = results;
    this.wanted = wanted;
  }

  List<String> lines() {
    MarkdownTable table =
        new MarkdownTable(
            "variant", "events/s", "least", "most", "of pass-through", "least", "most", "CPU us");
    for (String name : results.names()) {
      Spread rate = results.perSecond(name);
      Spread ratio = results.ofPassThrough(name);
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
    addTo(lines, costs());
    addTo(lines, comparisons());
    addTo(lines, Wanted.table(wanted, results));
    return lines;
  }

  private static void addTo(List<String> lines, List<String> table) {
    if (!table.isEmpty()) lines.add("");
    lines.addAll(table);
  }

  /**
   * Returns the table of the resources that an event takes, which do not depend on the variant's
   * speed.
   */
  private List<String> costs() {
    MarkdownTable table =
        new MarkdownTable(
            "an event takes",
            "CPU us",
            "least",
            "most",
            "garbage KB",
            "beyond pass-through",
            "Redis' thread us");
    for (String name : results.names()) {
      Spread cpu = results.cpuMicrosPerEvent(name);
      double redis = results.redisMicrosPerEvent(name).median();
      table.row(
          name,
          fine(cpu.median()),
          fine(cpu.least()),
          fine(cpu.most()),
          fine(results.garbagePerEvent(name).median() / KB),
          fine(results.garbageBeyond(name) / KB),
          redis < LEAST_SHOWN ? "" : times(redis));
    }
    return table.lines();
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

  private static String fine(double figure) {
    return String.format(Locale.ROOT, "%.2f", figure);
  }

  private static String times(double figure) {
    return String.format(Locale.ROOT, "%.1f", figure);
  }
}

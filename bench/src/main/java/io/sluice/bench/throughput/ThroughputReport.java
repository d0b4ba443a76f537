package io.sluice.bench.throughput;

import com.google.common.collect.ImmutableMap;
import io.sluice.bench.apps.AskedSluice;
import io.sluice.bench.report.JsonReport;
import io.sluice.bench.report.MarkdownTable;
import io.sluice.limiter.Algorithm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Results of a throughput run as tables, as a chart, and as JSON with every sample. */
public record ThroughputReport(Map<String, String> facts, Results results, List<Wanted> wanted) {
  private static final double KB = 1_000;

  /**
   * Least CPU time of Redis per event that is shown, in microseconds; smaller values are left out,
   * because an idle Redis also uses some CPU time.
   */
  private static final double LEAST_SHOWN = 0.1;

  private static final String COUNT = "%,.0f";
  private static final String SHARE = "%.3f";
  private static final String FINE = "%.2f";
  private static final String TIMES = "%.1f";

  /**
   * Pair of variants for the table that shows how many times more events the first variant
   * processes with the same cores than the second.
   */
  private record Comparison(String name, String to) {
    private static final String MEMORY = Variants.fewName("memory", Algorithm.GCRA);
    private static final String FUNNEL = Variants.REDIS_FUNNEL;
    private static final String LOG = Variants.REDIS_LOG;

    private static final List<Comparison> ALL =
        List.of(
            new Comparison(Variants.ASKED, MEMORY),
            new Comparison(FUNNEL, "Redis, funnel, one call an event"),
            new Comparison(LOG, "Redis, log, one call an event"),
            new Comparison(FUNNEL, Variants.BUCKET4J),
            new Comparison(FUNNEL, Variants.REDISSON),
            new Comparison(LOG, Variants.BUCKET4J),
            new Comparison(MEMORY, Variants.WINDOWED_COUNT),
            new Comparison(FUNNEL, Variants.WINDOWED_COUNT),
            new Comparison(LOG, Variants.WINDOWED_COUNT));
  }

  /** Writes the chart and the JSON file to a folder, and returns the lines of the tables. */
  public List<String> write(Path folder) throws IOException {
    Files.writeString(folder.resolve("throughput.svg"), new Chart(results).svg());
    List<?> variants = results.names().stream().map(this::fields).toList();
    JsonReport.write(folder.resolve("throughput.json"), facts, Map.of("variants", variants));
    return lines();
  }

  /** Returns the fields of a variant in the JSON file, in their order. */
  private Map<String, Object> fields(String name) {
    return ImmutableMap.of(
        "name", name,
        "basis", results.basis(name),
        "medianPerSecond", results.of(name, Sample::perSecond).median(),
        "ofPassThrough", results.ofPassThrough(name).median(),
        "samples", results.samples(name));
  }

  List<String> lines() {
    List<String> speeds =
        new MarkdownTable<>(results.names())
            .text("variant", name -> name)
            .spread("events/s", COUNT, name -> results.of(name, Sample::perSecond))
            .spread("of pass-through", SHARE, results::ofPassThrough)
            .figure("CPU us", TIMES, name -> results.of(name, Sample::cpuMicrosPerEvent).median())
            .lines();
    List<String> reached = Wanted.table(wanted, results);
    return MarkdownTable.join(List.of(cores(), speeds, costs(), comparisons(), reached, answers()));
  }

  /**
   * Returns the table of the CPU time that an event takes in all processes, and of the cores that
   * 100,000 events a second take.
   */
  private List<String> cores() {
    return new MarkdownTable<>(results.names())
        .text("CPU us of an event", name -> name)
        .figure("cores for 100k/s", FINE, name -> median(name, Sample::allMicrosPerEvent) / 10)
        .figure("events/s a core", COUNT, name -> 1e6 / median(name, Sample::allMicrosPerEvent))
        .figure("stream thread", FINE, name -> median(name, Sample::cpuMicrosPerEvent))
        .figure("sender", FINE, name -> median(name, Sample::senderMicrosPerEvent))
        .figure("broker", FINE, name -> median(name, Sample::brokerMicrosPerEvent))
        .figure("Redis", FINE, this::redisMicros)
        .spread("all", FINE, name -> results.of(name, Sample::allMicrosPerEvent))
        .spread("pass-through : all", SHARE, name -> results.ratioByCpu(name, results.basis(name)))
        .lines();
  }

  private double median(String name, ToDoubleFunction<Sample> figure) {
    return results.of(name, figure).median();
  }

  /**
   * Returns the table of the resources that an event takes, which do not depend on the variant's
   * speed.
   */
  private List<String> costs() {
    return new MarkdownTable<>(results.names())
        .text("an event takes", name -> name)
        .spread("CPU us", FINE, name -> results.of(name, Sample::cpuMicrosPerEvent))
        .figure("garbage KB", FINE, name -> results.of(name, Sample::garbagePerEvent).median() / KB)
        .figure("beyond pass-through", FINE, name -> results.garbageBeyond(name) / KB)
        .figure("bytes written", COUNT, name -> median(name, Sample::writtenPerEvent))
        .lines();
  }

  private double redisMicros(String name) {
    double micros = results.of(name, Sample::redisMicrosPerEvent).median();
    return micros < LEAST_SHOWN ? Double.NaN : micros;
  }

  private List<String> comparisons() {
    return new MarkdownTable<>(
            Comparison.ALL.stream().filter(each -> results.have(each.name, each.to)).toList())
        .text("compared", each -> each.name + " : " + each.to)
        .spread("times by CPU", FINE, each -> results.ratioByCpu(each.name, each.to))
        .figure("by rate", FINE, each -> results.ratio(each.name, each.to).median())
        .lines();
  }

  /**
   * Returns the lines of a table with the durations of HTTP answers; empty if no variant has HTTP
   * queries.
   */
  private List<String> answers() {
    List<String> lines = new ArrayList<>();
    for (Variant each : results.variants()) {
      if (each.application() instanceof AskedSluice asked) lines.addAll(asked.lines());
    }
    return lines;
  }
}

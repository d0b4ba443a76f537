package io.sluice.bench.latency;

import io.sluice.bench.apps.AskedSluice;
import io.sluice.bench.apps.SluiceApplication;
import io.sluice.bench.report.Figures;
import io.sluice.bench.report.MarkdownTable;
import io.sluice.bench.report.Spread;
import io.sluice.bench.run.Application;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * Measures the cost of an operator's HTTP queries at a fixed load: each round runs the application
 * with and without the queries.
 */
public final class AskedRuns {
  private static final int PER_SECOND = 50_000;
  private static final String GUARANTEE = "exactly_once_v2";
  private static final int DIGITS = 3;

  private static final SluiceApplication ALONE =
      SluiceApplication.onStateStore("funnel", "memory").withQuota("1000000/1s");

  /** Measurements of all rounds with the HTTP queries, or of all rounds without. */
  private static final class Side {
    private final String name;
    private final Application application;
    private final Histogram micros = new Histogram(DIGITS);
    private final List<Double> perSecond = new ArrayList<>();

    Side(String name, Application application) {
      this.name = name;
      this.application = application;
    }
  }

  private final FixedLoads loads;
  private final int rounds;
  private final AskedSluice asked = new AskedSluice(ALONE);
  private final Side with = new Side("asked", asked);
  private final Side without = new Side("not asked", ALONE);
  private int runs;

  public AskedRuns(FixedLoads loads, int rounds) {
    this.loads = loads;
    this.rounds = rounds;
  }

  public List<String> run() throws Exception {
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round <= rounds; round++) {
      List<Side> order = round % 2 == 0 ? List.of(without, with) : List.of(with, without);
      for (Side side : order) run(side, round);
      if (round > 0) ratios.add(last(with) / last(without));
    }
    List<String> table =
        new MarkdownTable<>(List.of(without, with))
            .text("publish to allowed", side -> side.name)
            .spread("events/s", "%,.0f", side -> Spread.of(side.perSecond))
            .text("p50 ms", side -> Figures.millis(side.micros, 50))
            .text("p99 ms", side -> Figures.millis(side.micros, 99))
            .lines();
    Spread ratio = Spread.of(ratios);
    String line =
        String.format(
            Locale.ROOT,
            "asked : not asked, events/s: %.3f (%.3f to %.3f)",
            ratio.median(),
            ratio.least(),
            ratio.most());
    return MarkdownTable.join(List.of(table, List.of(line), asked.lines()));
  }

  private static double last(Side side) {
    return side.perSecond.get(side.perSecond.size() - 1);
  }

  /** Runs the application of one side of a round; round 0 only warms up. */
  private void run(Side side, int round) throws Exception {
    Arrivals.Heard heard = loads.run("asked" + ++runs, side.application, PER_SECOND, GUARANTEE);
    String what = round == 0 ? "warming up" : "round " + round + "/" + rounds;
    String p99 = Figures.millis(heard.micros(), 99);
    String line = "%s  %s  %,.0f/s  p99 %s ms";
    loads.laboratory().say(line, what, side.name, heard.perSecond(), p99);
    if (round == 0) return;
    side.micros.add(heard.micros());
    side.perSecond.add(heard.perSecond());
  }
}

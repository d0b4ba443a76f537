package io.sluice.bench.throughput;

import io.sluice.bench.report.MarkdownTable;
import io.sluice.limiter.Algorithm;
import java.util.List;
import java.util.Locale;

/**
 * Target for a measured figure of a variant.
 *
 * @param to variant with which the figure compares; the variant itself if the figure is no
 *     comparison
 * @param wanted bound for the figure: a minimum or a maximum, depending on the kind of figure
 * @param stretch stricter bound to aim for; equal to {@code wanted} if there is none
 */
record Wanted(Figure figure, String name, String to, double wanted, double stretch) {

  /** Returns all targets. The names of some variants depend on the number of events. */
  static List<Wanted> all(long events) {
    String memory = Variants.fewName("memory", Algorithm.GCRA);
    String log = Variants.fewName("memory", Algorithm.SLIDING_WINDOW_LOG);
    String met = Variants.metName(events);
    return List.of(
        of(Figure.RATIO, memory, 0.45, 0.5),
        of(Figure.CPU, memory, 3.1, 3.1),
        of(Figure.GARBAGE, memory, 0.8, 0.8),
        of(Figure.RATIO, memory + ONE, 0.57, 0.62),
        of(Figure.CPU, memory + ONE, 2.6, 2.6),
        of(Figure.RATIO, memory + NONE, 0.68, 0.72),
        of(Figure.RATIO, met, 0.38, 0.38),
        of(Figure.RATIO, met + ONE, 0.45, 0.55),
        of(Figure.RATIO, log, 0.42, 0.42),
        of(Figure.RATIO, log + ONE, 0.52, 0.52),
        of(Figure.RATIO, Variants.fewName("rocksdb", Algorithm.GCRA), 0.32, 0.4),
        of(Figure.RATIO, Variants.UNMATCHED, 0.75, 0.85),
        of(Figure.RATIO, Variants.REDIS_FUNNEL, 0.25, 0.25),
        of(Figure.REDIS, Variants.REDIS_FUNNEL, 4, 4),
        of(Figure.RATIO, Variants.REDIS_LOG, 0.2, 0.2),
        of(Figure.REDIS, Variants.REDIS_LOG, 7, 7),
        new Wanted(Figure.TIMES, memory, Variants.WINDOWED_COUNT, 3, 3),
        new Wanted(Figure.TIMES, Variants.REDIS_FUNNEL, Variants.BUCKET4J, 20, 20),
        new Wanted(Figure.TIMES, Variants.REDIS_LOG, Variants.BUCKET4J, 15, 15));
  }

  private static final String ONE = ", headers=one";
  private static final String NONE = ", headers=none";

  private static Wanted of(Figure figure, String name, double wanted, double stretch) {
    return new Wanted(figure, name, name, wanted, stretch);
  }

  /** Kinds of measured figures, with their titles in the table of targets. */
  enum Figure {
    RATIO("of pass-through", "%.2f"),
    CPU("CPU us", "%.1f"),
    GARBAGE("garbage KB beyond", "%.1f"),
    REDIS("Redis' thread us", "%.1f"),
    TIMES("times", "%.1f");

    private final String title;
    private final String format;

    Figure(String title, String format) {
      this.title = title;
      this.format = format;
    }

    private boolean isLarge() {
      return this == RATIO || this == TIMES;
    }

    private boolean reaches(double figure, double bound) {
      return isLarge() ? figure >= bound : figure <= bound;
    }
  }

  /**
   * Returns the lines of a table with the targets whose variants were measured; empty if no such
   * variant was measured.
   */
  static List<String> table(List<Wanted> all, Results results) {
    return new MarkdownTable<>(
            all.stream().filter(each -> results.have(each.name, each.to)).toList())
        .text("wanted and reached", Wanted::names)
        .text("figure", each -> each.figure.title)
        .text("wanted", each -> (each.figure.isLarge() ? ">= " : "<= ") + each.text(each.wanted))
        .text("more", each -> each.stretch == each.wanted ? "" : each.text(each.stretch))
        .text("reached", each -> each.text(each.reached(results)))
        .text("", each -> each.verdict(each.reached(results)))
        .lines();
  }

  private String names() {
    return to.equals(name) ? name : name + " : " + to;
  }

  private String text(double value) {
    return String.format(Locale.ROOT, figure.format, value);
  }

  private double reached(Results results) {
    return switch (figure) {
      case RATIO -> results.ofPassThrough(name).median();
      case CPU -> results.of(name, Sample::cpuMicrosPerEvent).median();
      case GARBAGE -> results.garbageBeyond(name) / 1_000;
      case REDIS -> results.of(name, Sample::redisMicrosPerEvent).median();
      case TIMES -> results.ratio(name, to).median();
    };
  }

  /**
   * Returns whether the target is reached, for the table. The measured value is compared, not the
   * rounded one.
   */
  String verdict(double reached) {
    if (!figure.reaches(reached, wanted)) return "no";
    return stretch != wanted && figure.reaches(reached, stretch) ? "more" : "yes";
  }
}

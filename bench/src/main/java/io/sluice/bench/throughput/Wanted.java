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

  static List<Wanted> all() {
    String memory = Variants.fewName("memory", Algorithm.GCRA);
    String rocksdb = Variants.fewName("rocksdb", Algorithm.GCRA);
    return List.of(
        of(Figure.CORES, memory, 0.5, 0.42),
        of(Figure.CORES, memory + ONE, 0.42, 0.36),
        of(Figure.CORES, memory + NONE, 0.38, 0.32),
        of(Figure.CORES, rocksdb, 0.6, 0.5),
        of(Figure.CORES, Variants.REDIS_FUNNEL, 0.8, 0.7),
        of(Figure.SHARE, memory, 0.42, 0.48),
        of(Figure.SHARE, memory + ONE, 0.48, 0.53),
        of(Figure.SHARE, memory + NONE, 0.55, 0.62),
        of(Figure.SHARE, Variants.UNMATCHED, 0.85, 0.9),
        of(Figure.STREAM, memory, 2.6, 2.2),
        of(Figure.STREAM, memory + NONE, 2, 1.7),
        of(Figure.STREAM, Variants.UNMATCHED, 1.4, 1.2),
        of(Figure.GARBAGE, memory, 1.5, 1),
        of(Figure.REDIS, Variants.REDIS_FUNNEL, 2.5, 2),
        of(Figure.REDIS, Variants.REDIS_LOG, 6, 4),
        new Wanted(Figure.TIMES, memory, Variants.WINDOWED_COUNT, 4, 4),
        new Wanted(Figure.TIMES, Variants.REDIS_FUNNEL, Variants.BUCKET4J, 25, 25),
        new Wanted(Figure.TIMES, Variants.REDIS_LOG, Variants.BUCKET4J, 18, 18));
  }

  private static final String ONE = ", headers=one";
  private static final String NONE = ", headers=none";

  private static Wanted of(Figure figure, String name, double wanted, double stretch) {
    return new Wanted(figure, name, name, wanted, stretch);
  }

  /** Kinds of measured figures, with their titles in the table of targets. */
  enum Figure {
    CORES("cores for 100k/s", "%.2f"),
    SHARE("pass-through : all", "%.2f"),
    STREAM("stream thread us", "%.1f"),
    GARBAGE("garbage KB beyond", "%.1f"),
    REDIS("Redis' thread us", "%.1f"),
    TIMES("times by CPU", "%.1f");

    private final String title;
    private final String format;

    Figure(String title, String format) {
      this.title = title;
      this.format = format;
    }

    private boolean isLarge() {
      return this == SHARE || this == TIMES;
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
      case CORES -> results.of(name, Sample::allMicrosPerEvent).median() / 10;
      case SHARE -> results.ratioByCpu(name, results.basis(name)).median();
      case STREAM -> results.of(name, Sample::cpuMicrosPerEvent).median();
      case GARBAGE -> results.garbageBeyond(name) / 1_000;
      case REDIS -> results.of(name, Sample::redisMicrosPerEvent).median();
      case TIMES -> results.ratioByCpu(name, to).median();
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

package io.sluice.bench.throughput;

import io.sluice.bench.report.Spread;
import io.sluice.bench.report.Svg;
import java.util.List;

/**
 * Bar chart of the throughput results: for each variant a bar for its share of the speed of
 * pass-through, with a line from the least to the largest share.
 */
final class Chart {
  private static final int LABELS = 430;
  private static final int BARS = 460;
  private static final int FIGURES = 150;
  private static final int ROW = 24;
  private static final int TOP = 34;

  private final Results results;

  Chart(Results results) {
    this.results = results;
  }

  String svg() {
    List<String> names = results.names();
    double scale = BARS / names.stream().mapToDouble(name -> share(name).most()).max().orElse(1);
    Svg svg = new Svg(LABELS + BARS + FIGURES, TOP + names.size() * ROW + 8);
    svg.add(
        "<text x=\"8\" y=\"20\" font-weight=\"bold\">Share of pass-through, and events a second</text>");
    for (int i = 0; i < names.size(); i++) bar(svg, names.get(i), TOP + i * ROW, scale);
    return svg.text();
  }

  private Spread share(String name) {
    return results.ofPassThrough(name);
  }

  private void bar(Svg svg, String name, int y, double scale) {
    Spread share = share(name);
    int middle = y + ROW / 2;
    svg.add("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", LABELS - 8, middle + 4, name);
    svg.add(
        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
        LABELS, y + 3, share.median() * scale, ROW - 6, colour(name));
    svg.add(
        "<path d=\"M%.1f %d H%.1f\" stroke=\"#333\"/>",
        LABELS + share.least() * scale, middle, LABELS + share.most() * scale);
    svg.add(
        "<text x=\"%.1f\" y=\"%d\">%.3f  %,.0f/s</text>",
        LABELS + share.most() * scale + 6,
        middle + 4,
        share.median(),
        results.perSecond(name).median());
  }

  private static String colour(String name) {
    if (name.startsWith("state store")) return "#4c8bc0";
    if (name.startsWith("Redis")) return "#c0563f";
    if (name.startsWith("DSL") || name.startsWith("Bucket4j")) return "#b9a13c";
    return "#8a8f98";
  }
}

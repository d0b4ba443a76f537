package io.sluice.bench.throughput;

import io.sluice.bench.report.Spread;
import io.sluice.bench.report.Svg;
import java.util.List;

/**
 * Bar chart of the throughput results: for each variant a bar for its share of the speed of
 * pass-through, with a line from the least to the largest share.
 */
record Chart(Results results) {
  private static final int LABELS = 430;
  private static final int BARS = 460;
  private static final int FIGURES = 150;
  private static final int ROW = 24;
  private static final int TOP = 34;

  String svg() {
    List<String> names = results.names();
    double most =
        names.stream().mapToDouble(each -> results.ofPassThrough(each).most()).max().orElse(1);
    Svg svg = new Svg(LABELS + BARS + FIGURES, TOP + names.size() * ROW + 8);
    svg.add(
        "<text x=\"8\" y=\"20\" font-weight=\"bold\">Share of pass-through, and events a second</text>");
    for (int i = 0; i < names.size(); i++) {
      svg.add("<g transform=\"translate(%d %d)\">", LABELS, TOP + i * ROW);
      bar(svg, names.get(i), BARS / most);
      svg.add("</g>");
    }
    return svg.text();
  }

  private void bar(Svg svg, String name, double scale) {
    Spread share = results.ofPassThrough(name);
    double end = share.most() * scale;
    double perSecond = results.of(name, Sample::perSecond).median();
    svg.add("<text x=\"-8\" y=\"16\" text-anchor=\"end\">%s</text>", name);
    svg.add(
        "<rect y=\"3\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
        share.median() * scale, ROW - 6, colour(name));
    svg.add("<path d=\"M%.1f 12 H%.1f\" stroke=\"#333\"/>", share.least() * scale, end);
    svg.add("<text x=\"%.1f\" y=\"16\">%.3f  %,.0f/s</text>", end + 6, share.median(), perSecond);
  }

  private static String colour(String name) {
    if (name.startsWith("state store")) return "#4c8bc0";
    if (name.startsWith("Redis")) return "#c0563f";
    if (name.startsWith("DSL") || name.startsWith("Bucket4j")) return "#b9a13c";
    return "#8a8f98";
  }
}

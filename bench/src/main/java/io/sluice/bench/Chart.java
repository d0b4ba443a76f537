package io.sluice.bench;

import java.util.List;
import java.util.Locale;

/**
 * The same as a picture: a bar for each variant's share of pass-through, a whisker for its spread.
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
    StringBuilder svg = new StringBuilder(4_096);
    add(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            + " font-family=\"sans-serif\" font-size=\"12\">",
        LABELS + BARS + FIGURES,
        TOP + names.size() * ROW + 8);
    add(svg, "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>");
    add(
        svg,
        "<text x=\"8\" y=\"20\" font-weight=\"bold\">Share of pass-through, and events a second</text>");
    for (int i = 0; i < names.size(); i++) bar(svg, names.get(i), TOP + i * ROW, scale);
    return svg.append("</svg>\n").toString();
  }

  private Spread share(String name) {
    return results.ofPassThrough(name);
  }

  private void bar(StringBuilder svg, String name, int y, double scale) {
    Spread share = share(name);
    int middle = y + ROW / 2;
    add(svg, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", LABELS - 8, middle + 4, name);
    add(
        svg,
        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
        LABELS,
        y + 3,
        share.median() * scale,
        ROW - 6,
        colour(name));
    add(
        svg,
        "<path d=\"M%.1f %d H%.1f\" stroke=\"#333\"/>",
        LABELS + share.least() * scale,
        middle,
        LABELS + share.most() * scale);
    add(
        svg,
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

  private static void add(StringBuilder svg, String format, Object... arguments) {
    svg.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }
}

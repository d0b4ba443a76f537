package io.sluice.bench.scale;

import io.sluice.bench.report.Figures;
import io.sluice.bench.report.Svg;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Line chart with a logarithmic x axis, and one curve for each kind of state store.
 *
 * @param points results with increasing numbers of keys, of delayed events or of lines
 */
record Curves<P extends ScalePoint>(String title, List<P> points, ToDoubleFunction<P> figure) {
  private static final int WIDTH = 300;
  private static final int HEIGHT = 170;
  private static final int LEFT = 60;
  private static final int TOP = 40;
  private static final int BETWEEN = 50;
  private static final int KEY = 72;
  private static final Map<String, String> COLOURS =
      Map.of("memory", "#4c8bc0", "rocksdb", "#b9a13c");

  /** Returns a picture of all charts, with two charts in a row. */
  static String svg(List<Curves<?>> all) {
    int rows = (all.size() + 1) / 2;
    Svg svg = new Svg(2 * (LEFT + WIDTH) + BETWEEN, rows * (TOP + HEIGHT + BETWEEN));
    for (int i = 0; i < all.size(); i++) {
      int x = LEFT + i % 2 * (LEFT + WIDTH);
      int y = TOP + i / 2 * (TOP + HEIGHT + BETWEEN);
      svg.add("<g transform=\"translate(%d %d)\">", x, y);
      if (!all.get(i).points.isEmpty()) all.get(i).draw(svg);
      svg.add("</g>");
    }
    return svg.text();
  }

  private void draw(Svg svg) {
    double most = Math.max(points.stream().mapToDouble(figure).max().orElse(0), 1e-9);
    String top = String.format(Locale.ROOT, most < 10 ? "%.1f" : "%,.0f", most);
    svg.add("<text y=\"-18\" font-weight=\"bold\">%s</text>", title);
    svg.add("<path d=\"M0 0 V%d H%d\" fill=\"none\" stroke=\"#333\"/>", HEIGHT, WIDTH);
    svg.add("<text x=\"-6\" y=\"4\" text-anchor=\"end\">%s</text>", top);
    svg.add("<text x=\"-6\" y=\"%d\" text-anchor=\"end\">0</text>", HEIGHT + 4);
    for (int each : points.stream().mapToInt(ScalePoint::count).distinct().toArray()) {
      svg.add(
          "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
          x(each), HEIGHT + 18, Figures.round(each));
    }
    Map<String, List<P>> curves =
        points.stream()
            .collect(Collectors.groupingBy(P::store, LinkedHashMap::new, Collectors.toList()));
    int nth = 0;
    for (Map.Entry<String, List<P>> each : curves.entrySet()) {
      String colour = COLOURS.getOrDefault(each.getKey(), "#8a8f98");
      StringBuilder line = new StringBuilder();
      for (P point : each.getValue()) {
        double x = x(point.count());
        double y = HEIGHT * (1 - figure.applyAsDouble(point) / most);
        line.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
        svg.add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>", x, y, colour);
      }
      svg.add(
          "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\"/>", line.toString().trim(), colour);
      svg.add("<text x=\"%d\" y=\"-4\" fill=\"%s\">%s</text>", nth++ * KEY, colour, each.getKey());
    }
  }

  private double x(int count) {
    double first = Math.log10(points.get(0).count());
    double last = Math.log10(points.get(points.size() - 1).count());
    return (Math.log10(count) - first) * WIDTH / Math.max(last - first, 1e-9);
  }
}

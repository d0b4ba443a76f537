package io.sluice.bench.scale;

import io.sluice.bench.report.Figures;
import io.sluice.bench.report.Svg;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Line chart with a logarithmic x axis, and one curve for each kind of state store. */
final class Curves {
  private static final int WIDTH = 300;
  private static final int HEIGHT = 170;
  private static final int LEFT = 60;
  private static final int TOP = 40;
  private static final int BETWEEN = 50;
  private static final int KEY = 24;
  private static final Map<String, String> COLOURS =
      Map.of("memory", "#4c8bc0", "rocksdb", "#b9a13c");

  private record Point(double x, double y) {}

  private final String title;
  private final Map<String, List<Point>> points = new LinkedHashMap<>();

  Curves(String title) {
    this.title = title;
  }

  void add(String store, double x, double y) {
    points.computeIfAbsent(store, none -> new ArrayList<>()).add(new Point(x, y));
  }

  /** Returns a picture of all charts, with two charts in a row. */
  static String svg(List<Curves> all) {
    int rows = (all.size() + 1) / 2;
    Svg svg = new Svg(2 * (LEFT + WIDTH) + BETWEEN, rows * (TOP + HEIGHT + BETWEEN));
    for (int i = 0; i < all.size(); i++) {
      int x = LEFT + i % 2 * (LEFT + WIDTH);
      int y = TOP + i / 2 * (TOP + HEIGHT + BETWEEN);
      svg.add("<g transform=\"translate(%d %d)\">", x, y);
      all.get(i).draw(svg);
      svg.add("</g>");
    }
    return svg.text();
  }

  private void draw(Svg svg) {
    List<Point> every = points.values().stream().flatMap(Collection::stream).toList();
    if (every.isEmpty()) return;
    double most = Math.max(every.stream().mapToDouble(Point::y).max().orElse(0), 1e-9);
    double first = Math.log10(every.stream().mapToDouble(Point::x).min().orElse(1));
    double last = Math.log10(every.stream().mapToDouble(Point::x).max().orElse(1));
    double perTenth = WIDTH / Math.max(last - first, 1e-9);
    svg.add("<text y=\"-18\" font-weight=\"bold\">%s</text>", title);
    svg.add("<path d=\"M0 0 V%d H%d\" fill=\"none\" stroke=\"#333\"/>", HEIGHT, WIDTH);
    svg.add("<text x=\"-6\" y=\"4\" text-anchor=\"end\">%s</text>", figure(most));
    svg.add("<text x=\"-6\" y=\"%d\" text-anchor=\"end\">0</text>", HEIGHT + 4);
    every.stream()
        .mapToDouble(Point::x)
        .distinct()
        .forEach(
            x ->
                svg.add(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                    (Math.log10(x) - first) * perTenth, HEIGHT + 18, Figures.round((int) x)));
    int nth = 0;
    for (Map.Entry<String, List<Point>> each : points.entrySet()) {
      String colour = COLOURS.getOrDefault(each.getKey(), "#8a8f98");
      StringBuilder line = new StringBuilder();
      for (Point point : each.getValue()) {
        double x = (Math.log10(point.x) - first) * perTenth;
        double y = HEIGHT * (1 - point.y / most);
        line.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
        svg.add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>", x, y, colour);
      }
      svg.add(
          "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\"/>", line.toString().trim(), colour);
      svg.add(
          "<text x=\"%d\" y=\"-4\" fill=\"%s\">%s</text>", nth++ * 3 * KEY, colour, each.getKey());
    }
  }

  private static String figure(double figure) {
    return String.format(Locale.ROOT, figure < 10 ? "%.1f" : "%,.0f", figure);
  }
}

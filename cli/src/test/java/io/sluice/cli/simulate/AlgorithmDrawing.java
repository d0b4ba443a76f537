package io.sluice.cli.simulate;

import io.sluice.cli.simulate.AlgorithmPicture.Fate;
import java.util.List;
import java.util.Locale;

/** SVG drawing with one strip for each algorithm, all over the same 55 seconds. */
final class AlgorithmDrawing {
  private static final int LEFT = 40;
  private static final int PER_SECOND = 14;
  private static final int SECONDS = 55;
  private static final int TOP = 50;
  private static final int STRIP = 130;
  private static final int TICK = 14;
  private static final int PER_EVENT = 3;
  private static final int QUOTA = 10;
  private static final int WINDOW_MS = 10_000;

  private final StringBuilder svg = new StringBuilder(1 << 15);
  private int strips;

  AlgorithmDrawing(int strips) {
    int width = LEFT + SECONDS * PER_SECOND + 20;
    int height = TOP + strips * STRIP + 20;
    line(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
            + " font-family=\"sans-serif\" font-size=\"12\">",
        width, height, width, height);
    line("<title>Ways to count 10 in 10 seconds, on the same traffic</title>");
    line("<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>");
    text(
        LEFT,
        18,
        "#333333",
        "quota=10/10s. Up: an event leaves, allowed. Down: one arrives and is "
            + "<tspan fill=\"#c0392b\">rejected</tspan> or "
            + "<tspan fill=\"#d68910\">delayed</tspan>.");
    text(LEFT, 34, "#333333", "Grey: how many have left in the last 10 seconds; dashed: 10.");
  }

  void add(String title, List<Fate> fates) {
    int top = TOP + strips++ * STRIP;
    int axis = top + 50;
    int base = top + 122;
    long allowed = fates.stream().filter(fate -> !fate.rejected()).count();
    long delayed = fates.stream().filter(Fate::delayed).count();
    String counts = allowed + " allowed, " + (fates.size() - allowed) + " rejected";
    String suffix = delayed == 0 ? "" : ", " + delayed + " of those allowed were delayed";
    text(LEFT, top + 24, "#111111", title + ": " + counts + suffix);
    window(fates, base);
    line(
        "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#333333\"/>",
        LEFT, axis, x(SECONDS * 1_000), axis);
    for (Fate fate : fates) marks(fate, axis);
    seconds(base);
  }

  private void marks(Fate fate, int axis) {
    if (fate.rejected()) tick(fate.arrivedMs(), axis, TICK, "#c0392b");
    else tick(fate.leftMs(), axis, -TICK, "#1e8449");
    if (fate.delayed()) tick(fate.arrivedMs(), axis, TICK, "#d68910");
  }

  private void tick(long atMs, int axis, int length, String colour) {
    line(
        "<line x1=\"%s\" y1=\"%d\" x2=\"%s\" y2=\"%d\" stroke=\"%s\" stroke-width=\"1.3\"/>",
        decimal(atMs), axis, decimal(atMs), axis + length, colour);
  }

  /**
   * Draws the number of events that left in the preceding 10 seconds, for every tenth of a second.
   */
  private void window(List<Fate> fates, int base) {
    StringBuilder points = new StringBuilder(1 << 13);
    points.append("%d,%d".formatted(LEFT, base));
    for (long atMs = 0; atMs <= SECONDS * 1_000; atMs += 100) {
      long now = atMs;
      long left =
          fates.stream()
              .filter(fate -> !fate.rejected())
              .filter(fate -> fate.leftMs() <= now && fate.leftMs() > now - WINDOW_MS)
              .count();
      points.append(' ').append(decimal(atMs)).append(',').append(base - PER_EVENT * left);
    }
    points.append(" %d,%d".formatted(x(SECONDS * 1_000), base));
    line("<polygon points=\"%s\" fill=\"#d5d8dc\"/>", points);
    line(
        "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#333333\" stroke-dasharray=\"4 4\"/>",
        LEFT, base - PER_EVENT * QUOTA, x(SECONDS * 1_000), base - PER_EVENT * QUOTA);
    text(LEFT - 22, base - PER_EVENT * QUOTA + 4, "#333333", "10");
  }

  private void seconds(int base) {
    for (int second = 0; second <= SECONDS; second += 10) {
      text(x(second * 1_000) - 6, base + 12, "#777777", second + " s");
    }
  }

  private static int x(int ms) {
    return LEFT + ms * PER_SECOND / 1_000;
  }

  private static String decimal(long ms) {
    return String.format(Locale.ROOT, "%.1f", LEFT + ms * PER_SECOND / 1_000.0);
  }

  private void text(int x, int y, String colour, String text) {
    line("<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>", x, y, colour, text);
  }

  private void line(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  String svg() {
    return svg + "</svg>\n";
  }
}

package io.sluice.bench.report;

import java.util.Locale;

/** SVG picture that is built up, with one element a line. */
public final class Svg {
  private final StringBuilder lines = new StringBuilder(4_096);

  /** Creates a white picture of this size in pixels. */
  public Svg(int width, int height) {
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            + " font-family=\"sans-serif\" font-size=\"12\">",
        width, height);
    add("<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>");
  }

  public void add(String format, Object... arguments) {
    lines.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }

  /** Returns the content of the SVG file. */
  public String text() {
    return lines + "</svg>\n";
  }
}

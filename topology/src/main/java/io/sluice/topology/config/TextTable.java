package io.sluice.topology.config;

import java.util.ArrayList;
import java.util.List;

/**
 * Table of text in aligned columns. A text that is too wide for its column continues on the next
 * line.
 */
final class TextTable {
  private static final String GAP = "  ";

  private final int[] widest;
  private final List<List<List<String>>> rows = new ArrayList<>();

  /**
   * Creates a table. A column is as wide as its content needs.
   *
   * @param widest largest width of each column, in characters; a longer word is not broken
   */
  TextTable(int... widest) {
    this.widest = widest.clone();
  }

  TextTable row(String... cells) {
    List<List<String>> row = new ArrayList<>();
    for (int i = 0; i < cells.length; i++) row.add(wrap(cells[i], widest[i]));
    rows.add(row);
    return this;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (List<List<String>> row : rows) {
      int height = row.stream().mapToInt(List::size).max().orElse(0);
      for (int i = 0; i < height; i++) text.append(line(row, i)).append('\n');
    }
    return text.toString();
  }

  private String line(List<List<String>> row, int at) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < row.size(); column++) {
      List<String> cell = row.get(column);
      String part = at < cell.size() ? cell.get(at) : "";
      line.append(part).append(" ".repeat(width(column) - part.length())).append(GAP);
    }
    return line.toString().stripTrailing();
  }

  private int width(int column) {
    return rows.stream()
        .filter(row -> column < row.size())
        .flatMap(row -> row.get(column).stream())
        .mapToInt(String::length)
        .max()
        .orElse(0);
  }

  /** Breaks a text into lines at spaces; a word that is wider than the width stays whole. */
  private static List<String> wrap(String text, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      boolean full = line.length() > 0 && line.length() + 1 + word.length() > width;
      if (full) {
        lines.add(line.toString());
        line.setLength(0);
      }
      if (line.length() > 0) line.append(' ');
      line.append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}

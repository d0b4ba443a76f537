package io.sluice.bench.report;

import java.util.ArrayList;
import java.util.List;

/** Markdown table whose text is aligned too: names to the left, figures to the right. */
public final class MarkdownTable {
  private final List<List<String>> rows = new ArrayList<>();

  public MarkdownTable(String... heads) {
    rows.add(List.of(heads));
  }

  public void row(String... cells) {
    rows.add(List.of(cells));
  }

  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      lines.add(line(row));
      if (lines.size() == 1) lines.add(rule());
    }
    return lines;
  }

  private String line(List<String> row) {
    StringBuilder line = new StringBuilder("|");
    for (int column = 0; column < row.size(); column++) {
      String cell = row.get(column);
      String padding = " ".repeat(width(column) - cell.length());
      line.append(' ').append(column == 0 ? cell + padding : padding + cell).append(" |");
    }
    return line.toString();
  }

  private String rule() {
    StringBuilder line = new StringBuilder("|");
    for (int column = 0; column < rows.get(0).size(); column++) {
      line.append("-".repeat(width(column) + 1)).append(column == 0 ? "-|" : ":|");
    }
    return line.toString();
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}

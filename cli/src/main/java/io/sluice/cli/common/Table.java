package io.sluice.cli.common;

import io.sluice.limiter.PlainText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Text table whose first row is the header. Columns of numbers are aligned to the right, other
 * columns to the left. Cells may be untrusted texts, so {@link PlainText} replaces their invisible
 * characters and cuts long ones.
 */
public final class Table {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  public Table row(Object... cells) {
    rows.add(List.of(cells).stream().map(String::valueOf).map(PlainText::of).toList());
    return this;
  }

  public void print(PrintWriter out) {
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        line.append(column == 0 ? "" : GAP).append(padded(row.get(column), column));
      }
      out.println(line.toString().stripTrailing());
    }
  }

  private String padded(String cell, int column) {
    int width = rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    String padding = " ".repeat(width - cell.length());
    return isNumeric(column) ? padding + cell : cell + padding;
  }

  private boolean isNumeric(int column) {
    return rows.stream().skip(1).map(row -> row.get(column)).allMatch(Table::isNumber);
  }

  private static boolean isNumber(String cell) {
    return cell.isEmpty() || Character.isDigit(cell.charAt(0));
  }
}

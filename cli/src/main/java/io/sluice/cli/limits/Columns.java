package io.sluice.cli.limits;

import io.sluice.limiter.PlainText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Text table with aligned columns; a column without a value in any row is not printed. Cells may be
 * untrusted texts, so {@link PlainText} replaces their invisible characters and cuts long ones.
 */
public final class Columns {
  private static final String GAP = "  ";
  private static final int LONGEST_CELL = 1_000;

  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();

  public Columns(String... header) {
    this.header = List.of(header);
  }

  public void row(List<String> cells) {
    rows.add(cells.stream().map(each -> PlainText.of(each, LONGEST_CELL)).toList());
  }

  public void print(PrintWriter out) {
    int[] widths = new int[header.size()];
    for (int i = 0; i < widths.length; i++) {
      int at = i;
      int widest = rows.stream().mapToInt(row -> row.get(at).length()).max().orElse(0);
      widths[i] = widest == 0 ? 0 : Math.max(widest, header.get(i).length());
    }
    print(header, widths, out);
    for (List<String> row : rows) print(row, widths, out);
  }

  private static void print(List<String> row, int[] widths, PrintWriter out) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      if (widths[i] == 0) continue;
      String cell = row.get(i);
      line.append(cell).append(" ".repeat(widths[i] - cell.length())).append(GAP);
    }
    out.println(line.toString().stripTrailing());
  }
}

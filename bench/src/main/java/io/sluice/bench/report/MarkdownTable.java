package io.sluice.bench.report;

import com.google.common.base.Strings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Markdown table with a row for each result, whose text is aligned too: names to the left, figures
 * to the right.
 */
public final class MarkdownTable<R> {
  private final List<R> results;
  private final List<StringBuilder> lines = new ArrayList<>();

  public MarkdownTable(List<R> results) {
    this.results = results;
    for (int i = 0; i < results.size() + 2; i++) lines.add(new StringBuilder("|"));
  }

  /** Adds a column; the first one has the names. */
  public MarkdownTable<R> text(String head, Function<? super R, String> cell) {
    List<String> cells = Stream.concat(Stream.of(head), results.stream().map(cell)).toList();
    int width = cells.stream().mapToInt(String::length).max().orElse(0);
    boolean names = lines.get(0).length() == 1;
    lines.get(1).append("-".repeat(width + 1)).append(names ? "-|" : ":|");
    for (int i = 0; i < cells.size(); i++) {
      String padded =
          names
              ? Strings.padEnd(cells.get(i), width, ' ')
              : Strings.padStart(cells.get(i), width, ' ');
      lines.get(i == 0 ? 0 : i + 1).append(' ').append(padded).append(" |");
    }
    return this;
  }

  /** Adds a column of figures in this format; a cell is empty if there is no number. */
  public MarkdownTable<R> figure(String head, String format, ToDoubleFunction<? super R> figure) {
    return text(
        head,
        each -> {
          double number = figure.applyAsDouble(each);
          return Double.isNaN(number) ? "" : String.format(Locale.ROOT, format, number);
        });
  }

  /** Adds three columns: the median, the minimum and the maximum. */
  public MarkdownTable<R> spread(String head, String format, Function<? super R, Spread> spread) {
    return figure(head, format, each -> spread.apply(each).median())
        .figure("least", format, each -> spread.apply(each).least())
        .figure("most", format, each -> spread.apply(each).most());
  }

  /** Returns the lines of the table; none if there are no results. */
  public List<String> lines() {
    return results.isEmpty() ? List.of() : lines.stream().map(StringBuilder::toString).toList();
  }

  /** Returns these tables with an empty line between them; empty ones are left out. */
  public static List<String> join(List<List<String>> tables) {
    List<String> lines = new ArrayList<>();
    for (List<String> each : tables) {
      if (!lines.isEmpty() && !each.isEmpty()) lines.add("");
      lines.addAll(each);
    }
    return lines;
  }
}

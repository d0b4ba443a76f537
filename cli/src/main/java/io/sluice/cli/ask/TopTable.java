package io.sluice.cli.ask;

import io.sluice.cli.common.Table;
import io.sluice.limiter.PlainText;
import io.sluice.server.ask.Report;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Table of the keys with the most events of one verdict, such as rejected, in the last minutes. */
final class TopTable {
  private static final int MOST = 50;
  private static final int LONGEST = 60;

  private final Report report;
  private final List<Row> rows = new ArrayList<>();

  private record Row(Report.OfLimit limit, Report.Key key) {}

  private TopTable(Report report) {
    this.report = report;
    for (Report.OfLimit limit : report.limits()) {
      for (Report.Key key : limit.keys()) rows.add(new Row(limit, key));
    }
    rows.sort(
        Comparator.comparingLong((Row row) -> row.key().atLeast())
            .thenComparing(row -> row.key().atMost())
            .reversed());
  }

  static TopTable of(Report report) {
    return new TopTable(report);
  }

  void print(PrintWriter out) {
    if (rows.isEmpty()) {
      out.println("no events " + report.by() + " in the last minutes");
    } else {
      Table table = new Table().row("key", "limit", report.by(), "at most");
      rows.stream().limit(MOST).forEach(row -> add(table, row));
      table.print(out);
    }
    notes().forEach(out::println);
  }

  private static void add(Table table, Row row) {
    String limit = row.limit.limit() + (row.limit.shadow() ? " (shadow)" : "");
    table.row(shown(row.key.key()), shown(limit), row.key.atLeast(), row.key.atMost());
  }

  private static String shown(String text) {
    return text.isEmpty() ? "(all)" : PlainText.of(text, LONGEST);
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>();
    long windowMs = report.limits().stream().mapToLong(each -> each.windowMs()).max().orElse(0);
    long others = report.limits().stream().mapToLong(each -> each.othersAtMost()).max().orElse(0);
    if (!rows.isEmpty()) notes.add("");
    if (windowMs > 0) notes.add("in the last " + windowMs / 1_000 + " s");
    if (others > 0) notes.add("a key that is not listed had at most " + others);
    if (report.answered().size() > 1) notes.add("of " + report.answered().size() + " instances");
    for (Report.Unanswered each : report.unanswered()) {
      notes.add("without " + shown(each.instance()) + ": " + shown(each.why()));
    }
    return notes;
  }
}

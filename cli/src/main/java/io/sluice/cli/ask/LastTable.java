package io.sluice.cli.ask;

import io.sluice.cli.limits.Columns;
import io.sluice.live.change.RevisionFormatter;
import java.io.PrintWriter;
import java.util.List;
import java.util.OptionalLong;

/** Table of the last events of a key, with their verdicts. */
final class LastTable {
  private LastTable() {}

  static void print(List<PastVerdict> verdicts, PrintWriter out) {
    if (verdicts.isEmpty()) return;
    Columns columns =
        new Columns(
            "at",
            "event",
            "action",
            "verdict",
            "reason",
            "limit",
            "remaining",
            "retry after",
            "release at",
            "attempt",
            "source",
            "record");
    for (PastVerdict each : verdicts) columns.row(cells(each));
    out.println();
    columns.print(out);
  }

  private static List<String> cells(PastVerdict verdict) {
    OptionalLong again = verdict.number("retry-after-ms");
    OptionalLong due = verdict.number("release-at-ms");
    String attempt = verdict.text("attempt");
    return List.of(
        RevisionFormatter.time(verdict.atMs()),
        RevisionFormatter.plain(verdict.eventId()),
        RevisionFormatter.plain(verdict.action()),
        verdict.kind().text,
        RevisionFormatter.plain(verdict.text("reason")),
        RevisionFormatter.plain(verdict.text("limit")),
        RevisionFormatter.plain(verdict.text("remaining")),
        again.isPresent() ? RevisionFormatter.period(again.getAsLong()) : "",
        due.isPresent() ? RevisionFormatter.time(due.getAsLong()) : "",
        attempt.equals("1") ? "" : RevisionFormatter.plain(attempt),
        because(verdict.rule()),
        verdict.place().toString());
  }

  private static String because(PastVerdict.Rule rule) {
    if (rule.because().equals("file")) return "the file";
    if (rule.revisions().isEmpty()) return "";
    String last = rule.revisions().get(rule.revisions().size() - 1);
    return rule.because() + " " + RevisionFormatter.id(last);
  }
}

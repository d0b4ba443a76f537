package io.sluice.cli.limits;

import io.sluice.live.RevisionTopic;
import io.sluice.live.change.ChangeSession;
import io.sluice.live.change.RevisionFormatter;
import io.sluice.rules.revision.LimitRevision;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Table of revisions (dated changes of limits), each with its status, such as planned or ended. */
final class HistoryTable {
  private HistoryTable() {}

  static void print(
      List<ChangeSession.Entry> entries,
      List<RevisionTopic.Unreadable> unreadable,
      PrintWriter out) {
    Columns columns =
        new Columns(
            "from", "until", "limit", "for", "sets", "by", "id", "status", "note", "remarks");
    for (ChangeSession.Entry each : entries) columns.row(cells(each));
    if (!entries.isEmpty()) columns.print(out);
    for (RevisionTopic.Unreadable each : unreadable) {
      out.println(
          "unreadable: offset %d of %s, id %s: %s"
              .formatted(
                  each.offset(),
                  RevisionFormatter.time(each.atMs()),
                  RevisionFormatter.id(each.id()),
                  RevisionFormatter.plain(each.problem(), RevisionFormatter.LONGEST_REASON)));
    }
  }

  private static List<String> cells(ChangeSession.Entry entry) {
    LimitRevision revision = entry.revision();
    boolean ends = revision.untilMs() != LimitRevision.FOR_GOOD;
    return List.of(
        RevisionFormatter.time(revision.effectiveAtMs()),
        ends ? RevisionFormatter.time(revision.untilMs()) : "",
        revision.limit(),
        RevisionFormatter.of(revision.scope()),
        RevisionFormatter.of(revision.set()),
        RevisionFormatter.plain(revision.by()),
        RevisionFormatter.id(revision.id()),
        entry.standing(),
        RevisionFormatter.plain(revision.note()),
        String.join("; ", remarks(entry)));
  }

  private static List<String> remarks(ChangeSession.Entry entry) {
    List<String> remarks = new ArrayList<>();
    if (entry.lateMs() > 0)
      remarks.add("came " + RevisionFormatter.period(entry.lateMs()) + " late");
    remarks.addAll(entry.refusals());
    return remarks;
  }
}

package io.sluice.cli.limits;

import io.sluice.topology.change.Session;
import io.sluice.topology.change.Words;
import io.sluice.topology.live.RevisionTopic;
import io.sluice.topology.revision.LimitRevision;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Table of revisions, each with its status. */
final class HistoryTable {
  private HistoryTable() {}

  static void print(
      List<Session.Entry> entries, List<RevisionTopic.Unreadable> unreadable, PrintWriter out) {
    Columns columns =
        new Columns(
            "from", "until", "limit", "for", "sets", "by", "id", "standing", "note", "remarks");
    for (Session.Entry each : entries) columns.row(cells(each));
    if (!entries.isEmpty()) columns.print(out);
    for (RevisionTopic.Unreadable each : unreadable) {
      out.println(
          "unreadable: offset %d of %s, id %s: %s"
              .formatted(
                  each.offset(),
                  Words.time(each.atMs()),
                  Words.id(each.id()),
                  Words.plain(each.problem(), Words.LONGEST_REASON)));
    }
  }

  private static List<String> cells(Session.Entry entry) {
    LimitRevision revision = entry.revision();
    boolean ends = revision.untilMs() != LimitRevision.FOR_GOOD;
    return List.of(
        Words.time(revision.effectiveAtMs()),
        ends ? Words.time(revision.untilMs()) : "",
        revision.limit(),
        Words.of(revision.scope()),
        Words.of(revision.set()),
        Words.plain(revision.by()),
        Words.id(revision.id()),
        entry.standing(),
        Words.plain(revision.note()),
        String.join("; ", remarks(entry)));
  }

  private static List<String> remarks(Session.Entry entry) {
    List<String> remarks = new ArrayList<>();
    if (entry.lateMs() > 0) remarks.add("came " + Words.period(entry.lateMs()) + " late");
    remarks.addAll(entry.refusals());
    return remarks;
  }
}

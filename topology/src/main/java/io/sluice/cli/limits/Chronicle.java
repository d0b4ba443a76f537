package io.sluice.cli.limits;

import io.sluice.topology.event.Field;
import io.sluice.topology.live.RevisionTopic;
import io.sluice.topology.live.RevisionTopic.Written;
import io.sluice.topology.revision.LimitRevision;
import io.sluice.topology.revision.RevisionStatus;
import io.sluice.topology.revision.Scope;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** All revisions of some limits and events, and what became of each. */
final class Chronicle {
  private final Session session;
  private final List<Entry> entries = new ArrayList<>();
  private final boolean isComplete;

  /**
   * A revision, and what became of it.
   *
   * @param lateMs how long after it took effect it came; 0 if it did not, or nobody knows
   */
  record Entry(RevisionStatus status, Written written, long lateMs) {
    LimitRevision revision() {
      return status.revision();
    }

    /** As it is said and written. */
    String standing() {
      return status.standing().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /**
   * @param limit empty for all of them; those for every limit are among those of each
   * @param scope what a revision's scope must have, and may have more
   */
  Chronicle(Session session, String limit, Scope scope) {
    this.session = session;
    isComplete = limit.isEmpty() && scope.isWhole();
    Map<String, Written> written = new HashMap<>();
    for (Written each : session.contents().revisions()) written.put(each.revision().id(), each);
    for (RevisionStatus each : session.limits().revisions(session.nowMs())) {
      if (!isOf(each.revision(), limit) || !has(each.revision().scope(), scope)) continue;
      Written one = written.get(each.revision().id());
      entries.add(new Entry(each, one, lateMs(one)));
    }
  }

  private static boolean isOf(LimitRevision revision, String limit) {
    return limit.isEmpty() || revision.isForEveryLimit() || revision.limit().equals(limit);
  }

  private static boolean has(Scope scope, Scope wanted) {
    for (int i = 0; i < wanted.values().size(); i++) {
      Field field = wanted.fields().fields().get(i);
      if (!field.of(scope.event()).equals(wanted.values().get(i))) return false;
    }
    return true;
  }

  /** Of one that was undone, the first record may be gone; the last came when it ended. */
  private static long lateMs(Written one) {
    LimitRevision revision = one.revision();
    boolean ends = one.firstWrittenAtMs() == one.atMs() && endsAt(one);
    return ends ? 0 : Math.max(0, one.firstWrittenAtMs() - revision.effectiveAtMs());
  }

  private static boolean endsAt(Written one) {
    long untilMs = one.revision().untilMs();
    return untilMs >= one.atMs() && untilMs - one.atMs() <= Times.LEAD_MS;
  }

  List<Entry> entries() {
    return List.copyOf(entries);
  }

  /** Records that are no revision, if nothing was chosen: nobody knows what they are about. */
  List<RevisionTopic.Unreadable> unreadable() {
    return isComplete ? session.contents().unreadable() : List.of();
  }

  void print(PrintWriter out) {
    Columns columns =
        new Columns(
            "from", "until", "limit", "for", "sets", "by", "id", "standing", "note", "remarks");
    for (Entry each : entries) columns.row(cells(each));
    if (!entries.isEmpty()) columns.print(out);
    for (RevisionTopic.Unreadable each : unreadable()) {
      out.println(
          "unreadable: offset %d of %s, id %s: %s"
              .formatted(
                  each.offset(),
                  Times.show(each.atMs()),
                  Words.id(each.id()),
                  Words.plain(each.problem(), Words.LONGEST_REASON)));
    }
  }

  private static List<String> cells(Entry entry) {
    LimitRevision revision = entry.revision();
    boolean ends = revision.untilMs() != LimitRevision.FOR_GOOD;
    return List.of(
        Times.show(revision.effectiveAtMs()),
        ends ? Times.show(revision.untilMs()) : "",
        revision.limit(),
        Words.of(revision.scope()),
        Words.of(revision.set()),
        Words.plain(revision.by()),
        Words.id(revision.id()),
        entry.standing(),
        Words.plain(revision.note()),
        String.join("; ", remarks(entry)));
  }

  private static List<String> remarks(Entry entry) {
    List<String> remarks = new ArrayList<>();
    if (entry.lateMs > 0) remarks.add("came " + Times.showPeriod(entry.lateMs) + " late");
    remarks.addAll(Refusals.lines(entry.status));
    return remarks;
  }
}

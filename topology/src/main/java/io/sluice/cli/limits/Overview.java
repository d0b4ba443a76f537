package io.sluice.cli.limits;

import io.sluice.topology.config.ConfigReport;
import io.sluice.topology.limit.Limit;
import io.sluice.topology.revision.LimitRevision;
import io.sluice.topology.revision.RevisionStatus;
import io.sluice.topology.revision.Scope;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The limits that are in force at an instant, since when, and what is planned. */
final class Overview {
  private static final int MOST_OVERRIDES = 20;
  private static final int PARTS = 5;

  private final Session session;
  private final long nowMs;
  private final List<RevisionStatus> statuses;
  private final Overrides overrides;

  Overview(Session session) {
    this.session = session;
    nowMs = session.nowMs();
    statuses = session.limits().revisions(nowMs);
    overrides = Overrides.of(statuses);
  }

  /** A limit by its name; one that is not in force has no settings. */
  record Row(
      String limit,
      Optional<Limit> inForce,
      List<LimitRevision> saying,
      List<LimitRevision> planned,
      int overrides) {}

  /** As many as there are limits, and one more if there is anything for all of them. */
  List<Row> rows() {
    Set<String> names = new LinkedHashSet<>(session.config().limitNames());
    session.limits().at(nowMs).all().forEach(each -> names.add(each.name()));
    statuses.stream()
        .filter(each -> each.standing() == RevisionStatus.Standing.PLANNED)
        .forEach(each -> names.add(each.revision().limit()));
    if (names.remove(LimitRevision.EVERY_LIMIT)
        || !overrides.ofScopes(LimitRevision.EVERY_LIMIT).isEmpty()) {
      names.add(LimitRevision.EVERY_LIMIT);
    }
    return names.stream().map(this::row).toList();
  }

  private Row row(String name) {
    Optional<Limit> inForce =
        session.limits().at(nowMs).all().stream()
            .filter(each -> each.name().equals(name))
            .findAny();
    List<LimitRevision> planned =
        statuses.stream()
            .filter(each -> each.standing() == RevisionStatus.Standing.PLANNED)
            .map(RevisionStatus::revision)
            .filter(each -> each.limit().equals(name))
            .toList();
    return new Row(name, inForce, saying(name), planned, overrides.ofScopes(name).size());
  }

  /** The one of which something is left that took effect last; none if the file says it all. */
  private List<LimitRevision> saying(String name) {
    if (name.equals(LimitRevision.EVERY_LIMIT)) return List.of();
    List<LimitRevision> all = session.limits().sayingSo(name, Scope.WHOLE.event(), nowMs);
    return all.subList(Math.max(0, all.size() - 1), all.size());
  }

  List<String> words(Row row) {
    if (row.inForce.isPresent()) return ConfigReport.words(session.config(), row.inForce.get());
    List<String> none = new ArrayList<>(Collections.nCopies(PARTS, ""));
    boolean isEvery = row.limit.equals(LimitRevision.EVERY_LIMIT);
    none.set(0, isEvery ? "every limit" : "not in force");
    return none;
  }

  void print(PrintWriter out) {
    Columns columns =
        new Columns(
            "limit",
            "events",
            "quota",
            "algorithm",
            "exceeded",
            "redis",
            "since",
            "by",
            "planned",
            "overrides");
    for (Row each : rows()) columns.row(cells(each));
    columns.print(out);
    printOverrides(out);
  }

  private List<String> cells(Row row) {
    List<String> cells = new ArrayList<>(List.of(row.limit));
    cells.addAll(words(row));
    boolean isEvery = row.limit.equals(LimitRevision.EVERY_LIMIT);
    String file = isEvery ? "" : "the file";
    cells.add(row.saying.isEmpty() ? file : Times.show(row.saying.get(0).effectiveAtMs()));
    cells.add(row.saying.isEmpty() ? "" : Words.plain(row.saying.get(0).by()));
    cells.add(planned(row.planned));
    cells.add(row.overrides == 0 ? "" : "" + row.overrides);
    return cells;
  }

  private static String planned(List<LimitRevision> planned) {
    if (planned.isEmpty()) return "";
    String more = planned.size() == 1 ? "" : " and " + (planned.size() - 1) + " more";
    return Times.show(planned.get(0).effectiveAtMs()) + more;
  }

  private void printOverrides(PrintWriter out) {
    List<Overrides.Own> shown = overrides.newestOfScopes(MOST_OVERRIDES);
    if (shown.isEmpty()) return;
    Columns columns = new Columns("limit", "for", "sets", "since", "until", "by");
    for (Overrides.Own each : shown) {
      LimitRevision last = each.last();
      boolean ends = last.untilMs() != LimitRevision.FOR_GOOD;
      columns.row(
          List.of(
              last.limit(),
              Words.of(last.scope()),
              Words.of(each.own()),
              Times.show(last.effectiveAtMs()),
              ends ? Times.show(last.untilMs()) : "",
              Words.plain(last.by())));
    }
    out.println();
    columns.print(out);
    int more = overrides.newestOfScopes(Integer.MAX_VALUE).size() - shown.size();
    if (more > 0) out.println("and " + more + " older ones; limits history shows them");
  }

  /** What the table does not show. */
  void warn() {
    if (!session.contents().exists()) {
      session.warn("no limit was ever changed: the topic is not there yet");
    }
    long refused =
        statuses.stream()
            .filter(each -> each.standing() == RevisionStatus.Standing.REFUSED)
            .filter(each -> each.revision().untilMs() > nowMs)
            .count();
    if (refused > 0) session.warn(refused + " refused; limits history says why");
    int unreadable = session.contents().unreadable().size();
    if (unreadable > 0) session.warn(unreadable + " unreadable; limits history says why");
  }
}

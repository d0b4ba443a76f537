package io.sluice.cli.limits;

import io.sluice.live.change.ChangeSession;
import io.sluice.live.change.RevisionFormatter;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.Pause;
import io.sluice.rules.revision.RevisionStatus;
import io.sluice.rules.revision.Scope;
import io.sluice.rules.settings.LimitWords;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Table of the limits in force now: their settings, the last change of each, planned changes, and
 * overrides for events with certain values.
 */
final class Overview {
  private static final int MOST_OVERRIDES = 20;
  private static final int PARTS = 5;
  private static final Comparator<RevisionStatus.Own> NEWEST_FIRST =
      Comparator.comparing((RevisionStatus.Own each) -> each.last().effectiveAtMs()).reversed();

  private final ChangeSession session;
  private final long nowMs;
  private final List<RevisionStatus> statuses;
  private final List<RevisionStatus.Own> own;

  Overview(ChangeSession session) {
    this.session = session;
    nowMs = session.nowMs();
    statuses = session.limits().revisions(nowMs);
    own = RevisionStatus.own(statuses);
  }

  /** Table row of a limit; {@code inForce} is empty if the limit is not in force now. */
  record Row(
      String limit,
      Optional<Limit> inForce,
      List<LimitRevision> saying,
      List<LimitRevision> planned,
      List<Pause> pauses,
      int overrides) {}

  /**
   * Returns one row for each limit that is configured, in force or planned, and the row {@code *}
   * if changes for some events apply to every limit.
   */
  List<Row> rows() {
    Set<String> names = new LinkedHashSet<>(session.config().names());
    session.limits().at(nowMs).all().forEach(each -> names.add(each.name()));
    statuses.stream()
        .filter(each -> each.standing() == RevisionStatus.Standing.PLANNED)
        .forEach(each -> names.add(each.revision().limit()));
    if (names.remove(LimitRevision.EVERY_LIMIT) || overrides(LimitRevision.EVERY_LIMIT) > 0) {
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
    List<Pause> pauses = session.limits().pauses(name, Scope.WHOLE.event(), nowMs);
    return new Row(name, inForce, saying(name), planned, pauses, overrides(name));
  }

  /**
   * Returns the number of scopes (sets of events, such as those of one user) for which changes in
   * force set their own values of the limit's settings.
   */
  private int overrides(String limit) {
    return (int) scopes().filter(each -> each.last().limit().equals(limit)).count();
  }

  private Stream<RevisionStatus.Own> scopes() {
    return own.stream().filter(each -> !each.last().scope().isWhole());
  }

  /**
   * Returns the latest revision (dated change) that determines a setting of the limit for all
   * events; an empty list if the properties file determines all settings.
   */
  private List<LimitRevision> saying(String name) {
    if (name.equals(LimitRevision.EVERY_LIMIT)) return List.of();
    List<LimitRevision> all = session.limits().sayingSo(name, Scope.WHOLE.event(), nowMs);
    return all.subList(Math.max(0, all.size() - 1), all.size());
  }

  List<String> words(Row row) {
    if (row.inForce.isPresent()) return new LimitWords(session.config()).words(row.inForce.get());
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
            "paused",
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
    cells.add(RevisionFormatter.paused(row.pauses));
    boolean isEvery = row.limit.equals(LimitRevision.EVERY_LIMIT);
    String file = isEvery ? "" : "the file";
    cells.add(
        row.saying.isEmpty() ? file : RevisionFormatter.time(row.saying.get(0).effectiveAtMs()));
    cells.add(row.saying.isEmpty() ? "" : RevisionFormatter.plain(row.saying.get(0).by()));
    cells.add(planned(row.planned));
    cells.add(row.overrides == 0 ? "" : "" + row.overrides);
    return cells;
  }

  private static String planned(List<LimitRevision> planned) {
    if (planned.isEmpty()) return "";
    String more = planned.size() == 1 ? "" : " and " + (planned.size() - 1) + " more";
    return RevisionFormatter.time(planned.get(0).effectiveAtMs()) + more;
  }

  private void printOverrides(PrintWriter out) {
    List<RevisionStatus.Own> shown = scopes().sorted(NEWEST_FIRST).limit(MOST_OVERRIDES).toList();
    if (shown.isEmpty()) return;
    Columns columns = new Columns("limit", "for", "sets", "since", "until", "by");
    for (RevisionStatus.Own each : shown) {
      LimitRevision last = each.last();
      boolean ends = last.untilMs() != LimitRevision.FOR_GOOD;
      columns.row(
          List.of(
              last.limit(),
              RevisionFormatter.of(last.scope()),
              RevisionFormatter.of(each.texts()),
              RevisionFormatter.time(last.effectiveAtMs()),
              ends ? RevisionFormatter.time(last.untilMs()) : "",
              RevisionFormatter.plain(last.by())));
    }
    out.println();
    columns.print(out);
    long more = scopes().count() - shown.size();
    if (more > 0) out.println("and " + more + " older overrides; limits history shows them");
  }

  /**
   * Returns warnings about a missing limits topic, refused revisions and unreadable records, none
   * of which the table shows.
   */
  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    if (!session.contents().exists()) {
      warnings.add("no limit was changed yet: the topic of revisions does not exist");
    }
    long refused =
        statuses.stream()
            .filter(each -> each.standing() == RevisionStatus.Standing.REFUSED)
            .filter(each -> each.revision().untilMs() > nowMs)
            .count();
    if (refused > 0) warnings.add("refused revisions: " + refused + "; limits history shows why");
    int unreadable = session.contents().unreadable().size();
    if (unreadable > 0) {
      warnings.add("unreadable records: " + unreadable + "; limits history shows why");
    }
    return warnings;
  }
}

package io.sluice.live.change;

import io.sluice.live.RevisionTopic.Written;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.FieldForms;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.RevisionStatus;
import io.sluice.rules.revision.Scope;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** History of the revisions for some limits and events, with the status of each. */
public final class RevisionHistory {
  private static final Comparator<Written> NEWEST_FIRST =
      Comparator.comparing(Written::revision, LimitRevision.ORDER.reversed());

  private final ChangeSession session;
  private final List<Written> chosen;

  /**
   * Selects the revisions of a history.
   *
   * @param limit name; empty for all limits. Revisions for every limit are always included
   * @param scope values that a revision's scope must contain; it may contain more
   */
  public RevisionHistory(ChangeSession session, String limit, Scope scope) {
    this.session = session;
    FieldForms forms = session.config().forms();
    Scope wanted = scope.inForm(forms);
    chosen =
        session.contents().revisions().stream()
            .filter(each -> isOf(each.revision(), limit))
            .filter(each -> has(each.revision().scope().inForm(forms), wanted))
            .sorted(NEWEST_FIRST)
            .toList();
  }

  private RevisionHistory(ChangeSession session, List<Written> chosen) {
    this.session = session;
    this.chosen = chosen;
  }

  /** Returns the part of the history before the given revision, by effective time and then id. */
  public RevisionHistory before(long effectiveAtMs, String id) {
    return new RevisionHistory(
        session,
        chosen.stream()
            .filter(
                each -> {
                  int order = Long.compare(each.revision().effectiveAtMs(), effectiveAtMs);
                  return order < 0 || (order == 0 && each.revision().id().compareTo(id) < 0);
                })
            .toList());
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

  public int size() {
    return chosen.size();
  }

  /**
   * Returns the revisions that take effect last, latest first. Computes the status of these
   * revisions only.
   */
  public List<ChangeSession.Entry> newest(int most) {
    Map<String, Written> written = new LinkedHashMap<>();
    chosen.stream().limit(most).forEach(each -> written.put(each.revision().id(), each));
    return session.limits().revisions(written.keySet(), session.nowMs()).stream()
        .map(each -> entry(each, written.get(each.revision().id())))
        .toList();
  }

  private static ChangeSession.Entry entry(RevisionStatus status, Written one) {
    return new ChangeSession.Entry(status, one, lateMs(one));
  }

  /**
   * Delay of a revision's first record after its effective time, in milliseconds; 0 if it is not
   * known: compaction may have removed all records of an undone revision except the last.
   */
  private static long lateMs(Written one) {
    LimitRevision revision = one.revision();
    boolean ends = one.firstWrittenAtMs() == one.atMs() && endsAt(one);
    return ends ? 0 : Math.max(0, one.firstWrittenAtMs() - revision.effectiveAtMs());
  }

  private static boolean endsAt(Written one) {
    long untilMs = one.revision().untilMs();
    return untilMs >= one.atMs() && untilMs - one.atMs() <= Times.LEAD_MS;
  }
}

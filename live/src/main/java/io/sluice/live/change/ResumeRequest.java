package io.sluice.live.change;

import io.sluice.live.RevisionTopic;
import io.sluice.rules.event.FieldForms;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.Scope;
import java.util.List;
import java.util.Set;

/** Pauses for the same events that a user requests to end. */
final class ResumeRequest {
  private static final int MOST_SHOWN = 5;
  private static final Set<String> ONLY_VERDICT = Set.of(LimitRevision.Settings.VERDICT);

  private final ChangeSession session;
  private final Scope scope;
  private final long endMs;

  /**
   * Creates a request.
   *
   * @param scope events of the pauses
   * @param endMs instant at which the pauses end, epoch milliseconds
   */
  ResumeRequest(ChangeSession session, Scope scope, long endMs) {
    this.session = session;
    this.scope = scope;
    this.endMs = endMs;
  }

  /**
   * Returns the pauses to end: those that have begun, or begin before all instances could read that
   * they do not. Tells the user their number, and which others stay planned.
   *
   * @param limit name, or {@code *} for pauses of all limits
   * @throws InvalidChangeException if there are none, or if one cannot end by itself
   */
  List<LimitRevision> pauses(String limit) {
    List<LimitRevision> pauses = pauses();
    List<LimitRevision> own = pauses.stream().filter(each -> isOf(each, limit)).toList();
    List<LimitRevision> begun = own.stream().filter(this::hasBegun).toList();
    if (begun.isEmpty()) throw new InvalidChangeException(nothing(limit, pauses));
    InvalidChangeException.throwIfAny(
        begun.stream()
            .filter(each -> !each.set().names().equals(ONLY_VERDICT))
            .map(ResumeRequest::setsMore)
            .toList());
    session.asker().says(begun.size() == 1 ? "1 pause ends:" : begun.size() + " pauses end:");
    own.stream()
        .filter(each -> !begun.contains(each))
        .limit(MOST_SHOWN)
        .forEach(each -> session.asker().warns(stays(each)));
    return begun;
  }

  private boolean hasBegun(LimitRevision pause) {
    return !UndoRequest.isAhead(pause, session.nowMs());
  }

  /** Returns the pauses of all limits and events that have not ended at an instant. */
  private List<LimitRevision> pauses() {
    return session.contents().revisions().stream()
        .map(RevisionTopic.Written::revision)
        .filter(each -> each.set().pauses() && each.untilMs() > endMs)
        .sorted(LimitRevision.ORDER)
        .toList();
  }

  private boolean isOf(LimitRevision pause, String limit) {
    FieldForms forms = session.config().forms();
    return pause.limit().equals(limit) && pause.scope().inForm(forms).equals(scope.inForm(forms));
  }

  private String nothing(String limit, List<LimitRevision> pauses) {
    String of = limit + forSome(scope);
    List<String> others =
        pauses.stream()
            .filter(each -> each.limit().equals(limit) || each.isForEveryLimit())
            .filter(this::hasBegun)
            .map(each -> each.limit() + forSome(each.scope()))
            .distinct()
            .limit(MOST_SHOWN)
            .toList();
    return "nothing to resume: at that time no revision pauses "
        + of
        + (others.isEmpty() ? "" : "; paused are " + String.join("; ", others));
  }

  private static String forSome(Scope scope) {
    return scope.isWhole() ? "" : ", for " + RevisionFormatter.of(scope);
  }

  private static String setsMore(LimitRevision pause) {
    return "revision %s also sets %s; end it with undo, or its pause alone with clear verdict"
        .formatted(RevisionFormatter.id(pause.id()), RevisionFormatter.of(pause.set()));
  }

  private static String stays(LimitRevision planned) {
    return "the pause %s stays planned, from %s; withdraw it with undo"
        .formatted(
            RevisionFormatter.id(planned.id()), RevisionFormatter.time(planned.effectiveAtMs()));
  }
}

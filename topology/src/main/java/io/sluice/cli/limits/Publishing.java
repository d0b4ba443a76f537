package io.sluice.cli.limits;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import io.sluice.topology.revision.LimitRevision;
import io.sluice.topology.revision.LimitsInForce;
import io.sluice.topology.revision.RevisionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The way of drafts to the topic: they are checked, explained, written, and looked at again. */
final class Publishing {
  private static final int MOST_WARNINGS = 5;

  private final Session session;
  private final boolean dryRun;

  Publishing(Session session, boolean dryRun) {
    this.session = session;
    this.dryRun = dryRun;
  }

  /**
   * Publishes one revision, or nothing.
   *
   * @throws MistakenException if it would be refused at any time, saying why
   */
  void publish(LimitRevision draft) {
    LimitsInForce after = session.limits().with(draft);
    publish(
        List.of(draft),
        after,
        out -> {
          Effect effect = new Effect(session.config(), session.limits(), after);
          String when = Words.when(draft);
          effect.lines(draft, draft.effectiveAtMs()).forEach(line -> session.say(line + when));
        });
  }

  /**
   * Publishes all of these, or nothing.
   *
   * @param explanation says what they are
   * @throws MistakenException if one of them would be refused at any time, saying why
   */
  void publish(List<LimitRevision> drafts, LimitsInForce after, Consumer<Session> explanation) {
    long nowMs = session.nowMs();
    Refusals refusals = new Refusals(session.limits(), after, nowMs);
    Set<String> ids = drafts.stream().map(LimitRevision::id).collect(toSet());
    List<String> mistakes = new ArrayList<>();
    for (LimitRevision each : drafts) {
      for (String line : refusals.of(each)) if (!mistakes.contains(line)) mistakes.add(line);
    }
    MistakenException.throwIfAny(mistakes);
    explanation.accept(session);
    if (!isOnlyTried()) write(drafts);
    // With many overrides this takes seconds, and a change is to come in time.
    warnOfOthers(refusals.ofOthers(ids));
    for (LimitRevision each : drafts) warnOfLater(each, ids);
  }

  private void write(List<LimitRevision> drafts) {
    long last = session.topic().publish(drafts);
    session.say("published " + drafts.stream().map(LimitRevision::id).collect(joining(" ")));
    warnIfLate(drafts.get(0));
    lookAgain(drafts, last);
  }

  /** Whether nothing is to be published, which is said. */
  boolean isOnlyTried() {
    if (dryRun) session.say("dry run: nothing is published");
    return dryRun;
  }

  void warnOfOthers(List<String> lines) {
    lines.stream().limit(MOST_WARNINGS).forEach(session::warn);
    int more = lines.size() - MOST_WARNINGS;
    if (more > 0) session.warn("and " + more + " more, see limits history");
  }

  /** What is planned already goes on to hold, and may set the same. */
  private void warnOfLater(LimitRevision draft, Set<String> ids) {
    session.contents().revisions().stream()
        .map(each -> each.revision())
        .filter(each -> each.limit().equals(draft.limit()) && each.scope().equals(draft.scope()))
        .filter(each -> each.effectiveAtMs() >= draft.effectiveAtMs() && !ids.contains(each.id()))
        .filter(each -> each.effectiveAtMs() < draft.untilMs())
        .filter(each -> each.set().names().stream().anyMatch(draft.set().names()::contains))
        .limit(MOST_WARNINGS)
        .forEach(
            each ->
                session.warn(
                    "%s sets %s from %s on"
                        .formatted(
                            Words.id(each.id()),
                            Words.of(each.set()),
                            Times.show(each.effectiveAtMs()))));
  }

  private void warnIfLate(LimitRevision first) {
    long lateMs = session.nowMs() - first.effectiveAtMs();
    if (lateMs <= 0) return;
    session.warn(
        "it came "
            + Times.showPeriod(lateMs)
            + " after it took effect: what was judged before it was read stays as it is");
  }

  /** Nobody locks the topic: another may have written between the reading and the writing. */
  private void lookAgain(List<LimitRevision> drafts, long last) {
    boolean alone = last == session.contents().end() + drafts.size() - 1;
    if (alone) return;
    session.read();
    long nowMs = session.nowMs();
    Set<String> known =
        session.contents().revisions().stream().map(each -> each.revision().id()).collect(toSet());
    for (LimitRevision each : drafts) {
      if (!known.contains(each.id())) continue;
      RevisionStatus status = session.limits().revision(each.id(), nowMs);
      for (String line : Refusals.lines(status)) {
        session.warn("another change came meanwhile; " + Words.id(each.id()) + ": " + line);
      }
    }
  }
}

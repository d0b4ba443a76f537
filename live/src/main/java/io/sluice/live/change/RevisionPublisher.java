package io.sluice.live.change;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;

import io.sluice.rules.limit.OptionalKey;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitRevision.UnreadableRevisionException;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.RevisionReader;
import io.sluice.rules.revision.RevisionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Publisher of draft revisions: checks them, explains them, writes them to the topic of revisions,
 * and warns of conflicts.
 */
final class RevisionPublisher {
  private static final int MOST_WARNINGS = 5;
  private static final String KEY_MISSING = "key.missing";

  private final ChangeSession session;
  private final boolean dryRun;

  RevisionPublisher(ChangeSession session, boolean dryRun) {
    this.session = session;
    this.dryRun = dryRun;
  }

  /**
   * Publishes one revision, unless it has mistakes.
   *
   * @throws InvalidChangeException if the revision would be refused at any time, with the reasons
   */
  void publish(LimitRevision draft) {
    LimitsInForce after = session.limits().with(draft);
    publish(
        List.of(draft),
        after,
        () -> {
          Effect effect = new Effect(session.config(), session.limits(), after);
          String when = RevisionFormatter.when(draft);
          effect
              .lines(draft, draft.effectiveAtMs(), draft.set().resets())
              .forEach(line -> session.asker().says(line + when));
        });
  }

  /**
   * Publishes all of these revisions, or none.
   *
   * @param after limits with the revisions
   * @param explanation tells the user what the revisions change
   * @throws InvalidChangeException if one of the revisions would be refused at any time, with the
   *     reasons
   */
  void publish(List<LimitRevision> drafts, LimitsInForce after, Runnable explanation) {
    long nowMs = session.nowMs();
    Refusals refusals = new Refusals(session.limits(), after, nowMs);
    Set<String> ids = drafts.stream().map(LimitRevision::id).collect(toSet());
    List<String> mistakes = new ArrayList<>();
    for (LimitRevision each : drafts) {
      for (String line : refusals.of(each)) if (!mistakes.contains(line)) mistakes.add(line);
    }
    InvalidChangeException.throwIfAny(mistakes);
    explanation.run();
    if (!isOnlyTried()) write(drafts);
    // Conflicts are looked for after writing: with many overrides this takes seconds, and would
    // make the change late.
    warnOfOthers(refusals.ofOthers(ids));
    for (LimitRevision each : drafts) warnOfLater(each, ids);
    for (LimitRevision each : drafts) {
      optionalKey(each, session.limits(), after).ifPresent(session.asker()::warns);
    }
  }

  /**
   * Returns a warning that events without a field of its key pass the limit of a draft, if the
   * draft is the reason for that; no start warns of it.
   *
   * @param before limits without the drafts
   * @param after limits with the drafts
   */
  static Optional<String> optionalKey(
      LimitRevision draft, LimitsInForce before, LimitsInForce after) {
    Optional<String> warning = optionalKey(draft, after);
    return warning.equals(optionalKey(draft, before)) ? Optional.empty() : warning;
  }

  private static Optional<String> optionalKey(LimitRevision draft, LimitsInForce limits) {
    String limit = draft.limit();
    long atMs = draft.effectiveAtMs();
    if (limits.texts(limit, atMs).containsKey(KEY_MISSING)) return Optional.empty();
    return limits.at(atMs).all().stream()
        .filter(each -> each.name().equals(limit))
        .findFirst()
        .flatMap(OptionalKey::warning)
        .map(line -> limit + ": " + KEY_MISSING + " is " + line);
  }

  private void write(List<LimitRevision> drafts) {
    long last = session.topic().publish(drafts);
    session.asker().wrote("published", drafts.stream().map(LimitRevision::id).toList());
    warnIfLate(drafts.get(0));
    lookAgain(drafts, last);
  }

  /** Returns whether this is a dry run; if so, tells the user that no revision is published. */
  boolean isOnlyTried() {
    if (dryRun) session.asker().tried();
    return dryRun;
  }

  void warnOfOthers(List<String> lines) {
    lines.stream().limit(MOST_WARNINGS).forEach(session.asker()::warns);
    int more = lines.size() - MOST_WARNINGS;
    if (more > 0) session.asker().warns("and " + more + " more; limits history shows them");
  }

  /**
   * Returns a draft as every instance will read it.
   *
   * @throws InvalidChangeException if instances could not read it, with the reason
   */
  static LimitRevision readable(LimitRevision draft) {
    byte[] value = RevisionReader.json(draft).getBytes(UTF_8);
    try {
      return new RevisionReader().ofRecord(draft.id().getBytes(UTF_8), value, 0);
    } catch (UnreadableRevisionException e) {
      throw new InvalidChangeException(e.getMessage());
    }
  }

  /**
   * Warns of other revisions that take effect later and set the same settings, since they will
   * override the draft.
   */
  private void warnOfLater(LimitRevision draft, Set<String> ids) {
    session.contents().revisions().stream()
        .map(each -> each.revision())
        .filter(each -> each.limit().equals(draft.limit()) && each.scope().equals(draft.scope()))
        .filter(each -> each.effectiveAtMs() >= draft.effectiveAtMs() && !ids.contains(each.id()))
        .filter(each -> each.effectiveAtMs() < draft.untilMs())
        .filter(each -> each.set().names().stream().anyMatch(draft.set().names()::contains))
        .filter(each -> !each.set().pauses() || !draft.set().pauses())
        .limit(MOST_WARNINGS)
        .forEach(
            each ->
                session
                    .asker()
                    .warns(
                        "revision %s sets %s from %s on, and then overrides the same settings of this change"
                            .formatted(
                                RevisionFormatter.id(each.id()),
                                RevisionFormatter.of(each.set()),
                                RevisionFormatter.time(each.effectiveAtMs()))));
  }

  private void warnIfLate(LimitRevision first) {
    long lateMs = session.nowMs() - first.effectiveAtMs();
    if (lateMs <= 0) return;
    session
        .asker()
        .warns(
            "published "
                + RevisionFormatter.period(lateMs)
                + " after it took effect: verdicts of earlier events do not change");
  }

  /**
   * Checks the published revisions again if another writer added records since the topic was read,
   * as writers do not lock the topic.
   */
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
        session
            .asker()
            .warns(
                "another change was published at the same time; revision "
                    + RevisionFormatter.id(each.id())
                    + " is refused: "
                    + line);
      }
    }
  }
}

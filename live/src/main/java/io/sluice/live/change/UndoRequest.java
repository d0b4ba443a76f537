package io.sluice.live.change;

import io.sluice.live.RevisionTopic;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitsInForce;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Undo of revisions: ends those that have begun, and deletes those that are planned or unreadable.
 */
final class UndoRequest {
  private static final int MOST_SHOWN = 5;

  private final ChangeSession session;
  private final String by;
  private final String note;
  private final boolean dryRun;
  private final long nowMs;
  private final List<LimitRevision> ended = new ArrayList<>();
  private final Map<String, List<LimitRevision>> takenBack = new LinkedHashMap<>();

  UndoRequest(ChangeSession session, String by, String note, boolean dryRun) {
    this.session = session;
    this.by = by;
    this.note = note;
    this.dryRun = dryRun;
    nowMs = session.nowMs();
  }

  /**
   * Undoes all of these revisions, or none.
   *
   * @param given ids, or unique prefixes of ids
   */
  void undo(List<String> given) {
    List<String> mistakes = new ArrayList<>();
    Set<String> planned = new HashSet<>();
    for (String each : given) {
      try {
        String id = found(each);
        if (planned.add(id)) plan(id);
      } catch (InvalidChangeException e) {
        mistakes.addAll(e.mistakes());
      }
    }
    InvalidChangeException.throwIfAny(mistakes);
    write("undone");
  }

  /**
   * Ends revisions at an instant, or directly after their beginning. They must not end before.
   *
   * @param endMs epoch milliseconds
   * @param what result in one word, such as {@code undone}
   */
  void end(List<LimitRevision> revisions, long endMs, String what) {
    for (LimitRevision each : revisions) ended.add(ending(each, by, note, endMs));
    write(what);
  }

  private void write(String what) {
    LimitsInForce after = session.limits().with(ended, takenBack.keySet());
    explain(after);
    RevisionPublisher publishing = new RevisionPublisher(session, dryRun);
    publishing.warnOfOthers(
        new Refusals(session.limits(), after, nowMs).ofOthers(Set.copyOf(ids())));
    if (publishing.isOnlyTried()) return;
    session.topic().undo(ended, List.copyOf(takenBack.keySet()));
    session.asker().wrote(what, ids());
  }

  private List<String> ids() {
    return Stream.concat(ended.stream().map(LimitRevision::id), takenBack.keySet().stream())
        .toList();
  }

  private String found(String given) {
    List<String> all =
        Stream.concat(
                session.contents().revisions().stream().map(each -> each.revision().id()),
                session.contents().unreadable().stream().map(RevisionTopic.Unreadable::id))
            .filter(each -> !each.isEmpty() && each.startsWith(given))
            .toList();
    if (all.size() == 1 || all.contains(given)) return all.contains(given) ? given : all.get(0);
    if (all.isEmpty()) {
      throw new InvalidChangeException(
          "no revision has an id that begins with " + RevisionFormatter.plain(given));
    }
    List<String> some = all.stream().limit(MOST_SHOWN).map(RevisionFormatter::plain).toList();
    throw new InvalidChangeException(
        "%d ids begin with %s: %s%s"
            .formatted(
                all.size(),
                RevisionFormatter.plain(given),
                String.join(", ", some),
                all.size() > MOST_SHOWN ? ", ..." : ""));
  }

  private void plan(String id) {
    List<LimitRevision> one =
        session.contents().revisions().stream()
            .map(RevisionTopic.Written::revision)
            .filter(each -> each.id().equals(id))
            .toList();
    // An unreadable record has no times and is in force nowhere, so it can be deleted.
    if (one.isEmpty() || isAhead(one.get(0), nowMs)) takenBack.put(id, one);
    else ended.add(end(one.get(0), by, note, nowMs));
  }

  /** Whether a revision takes effect so late that every instance reads its deletion before. */
  static boolean isAhead(LimitRevision revision, long nowMs) {
    return revision.effectiveAtMs() > nowMs + Times.LEAD_MS;
  }

  /**
   * Returns the revision with an end in about two seconds. The revision is not deleted, so that the
   * history still explains past decisions.
   *
   * @throws InvalidChangeException if the revision has ended, or ends by then anyway
   */
  static LimitRevision end(LimitRevision one, String by, String why, long nowMs) {
    long untilMs = Math.max(nowMs + Times.LEAD_MS, one.effectiveAtMs() + 1);
    if (one.untilMs() <= untilMs) {
      String ends = one.untilMs() <= nowMs ? " has ended, at " : " ends anyway, at ";
      throw new InvalidChangeException(
          RevisionFormatter.id(one.id()) + ends + RevisionFormatter.time(one.untilMs()));
    }
    return ending(one, by, why, untilMs);
  }

  private static LimitRevision ending(LimitRevision one, String by, String why, long endMs) {
    return new LimitRevision(
        one.id(),
        one.limit(),
        one.scope(),
        one.set(),
        one.effectiveAtMs(),
        Math.max(endMs, one.effectiveAtMs() + 1),
        one.by(),
        note(one.note(), by, why));
  }

  /**
   * Appends the author and reason of the undo to the earlier note, which is shortened if there is
   * no room.
   */
  private static String note(String before, String by, String why) {
    String undone =
        "undone" + (by.isEmpty() ? "" : " by " + by) + (why.isEmpty() ? "" : ": " + why);
    if (before.isEmpty()) return undone;
    int room = 1_000 - undone.length() - 2;
    if (before.length() <= room) return before + "; " + undone;
    return room <= 0
        ? undone
        : before
                .codePoints()
                .limit(room / 2)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            + "; "
            + undone;
  }

  private void explain(LimitsInForce after) {
    Effect effect = new Effect(session.config(), session.limits(), after);
    for (LimitRevision each : ended) {
      RevisionPublisher.readable(each);
      explain(effect, each, each.untilMs());
      if (each.set().resets())
        session.asker().warns("the undo does not restore usage that was reset");
    }
    takenBack.forEach(
        (id, one) -> {
          if (one.isEmpty())
            session
                .asker()
                .says(RevisionFormatter.id(id) + ": not a valid revision; its record is deleted");
          for (LimitRevision each : one) explain(effect, each, each.effectiveAtMs());
        });
  }

  private void explain(Effect effect, LimitRevision revision, long atMs) {
    String when = RevisionFormatter.from(atMs, revision.scope());
    effect.lines(revision, atMs, false).forEach(line -> session.asker().says(line + when));
  }
}

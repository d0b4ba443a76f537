package io.sluice.rules.revision;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects refusals of revisions while timelines are built, and gives the state of each revision.
 * For one thread.
 */
final class Statuses implements ScopeTimelineBuilder.Witness {
  private final Map<String, List<RevisionStatus.Refusal>> refusals = new HashMap<>();

  /** Returns whether a revision can ever be in force; records the reason if it cannot. */
  boolean accepts(LimitRevision revision) {
    String never = RevisionCheck.refusal(revision);
    if (never.isEmpty()) return true;
    long fromMs = revision.effectiveAtMs();
    long untilMs = Math.max(fromMs, revision.untilMs());
    refusals.put(revision.id(), List.of(new RevisionStatus.Refusal(fromMs, untilMs, never)));
    return false;
  }

  @Override
  public void sees(LimitRevision revision, long fromMs, long untilMs, String refusal) {
    if (refusal.isEmpty()) return;
    List<RevisionStatus.Refusal> own =
        refusals.computeIfAbsent(revision.id(), e -> new ArrayList<>());
    int last = own.size() - 1;
    boolean goesOn =
        last >= 0 && own.get(last).untilMs() == fromMs && own.get(last).reason().equals(refusal);
    long beginMs = goesOn ? own.remove(last).fromMs() : fromMs;
    own.add(new RevisionStatus.Refusal(beginMs, untilMs, refusal));
  }

  /** Returns the state of a revision. All results of its scope must have been collected before. */
  RevisionStatus of(LimitRevision revision, long nowMs) {
    return RevisionStatus.of(revision, refusals.getOrDefault(revision.id(), List.of()), nowMs);
  }
}

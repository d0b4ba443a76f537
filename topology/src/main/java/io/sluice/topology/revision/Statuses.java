package io.sluice.topology.revision;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gathers what becomes of revisions. For one thread. */
final class Statuses implements Folding.Witness {
  private final Map<String, List<RevisionStatus.Refusal>> refusals = new HashMap<>();

  /** Whether it can ever be in force; notes it if it cannot. */
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

  /** What becomes of a revision, of which everything has been seen. */
  RevisionStatus of(LimitRevision revision, long nowMs) {
    return RevisionStatus.of(revision, refusals.getOrDefault(revision.id(), List.of()), nowMs);
  }
}

package io.sluice.topology.revision;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What becomes of a revision, as seen at an instant.
 *
 * @param refusals when it is not in force although its time has come, and why, in order
 */
public record RevisionStatus(LimitRevision revision, Standing standing, List<Refusal> refusals) {
  /** Where a revision stands. */
  public enum Standing {
    PLANNED,
    IN_FORCE,
    ENDED,
    /** It is its time, or would be, and it cannot be in force. */
    REFUSED
  }

  /**
   * @param fromMs the first instant
   * @param untilMs the first instant after it; {@link LimitRevision#FOR_GOOD} if there is none
   * @param reason in one line
   */
  public record Refusal(long fromMs, long untilMs, String reason) {
    boolean isAt(long ms) {
      return fromMs <= ms && ms < untilMs;
    }
  }

  /**
   * What the revisions of one limit and scope come to.
   *
   * @param texts what they have set, by setting; never empty
   * @param last the one that took effect last
   */
  public record Own(Map<String, String> texts, LimitRevision last) {}

  private record Place(String limit, Scope scope) {}

  public RevisionStatus {
    refusals = List.copyOf(refusals);
  }

  static RevisionStatus of(LimitRevision revision, List<Refusal> refusals, long nowMs) {
    return new RevisionStatus(revision, standing(revision, refusals, nowMs), refusals);
  }

  private static Standing standing(LimitRevision revision, List<Refusal> refusals, long nowMs) {
    if (isAlwaysRefused(revision, refusals)) return Standing.REFUSED;
    if (nowMs < revision.effectiveAtMs()) return Standing.PLANNED;
    if (nowMs >= revision.untilMs()) return Standing.ENDED;
    boolean refused = refusals.stream().anyMatch(each -> each.isAt(nowMs));
    return refused ? Standing.REFUSED : Standing.IN_FORCE;
  }

  private static boolean isAlwaysRefused(LimitRevision revision, List<Refusal> refusals) {
    long open = revision.effectiveAtMs();
    for (Refusal each : refusals) if (each.fromMs <= open) open = Math.max(open, each.untilMs);
    return !refusals.isEmpty() && open >= revision.untilMs();
  }

  /** What those in force come to, of revisions in the order in which they hold. */
  public static List<Own> own(Collection<RevisionStatus> statuses) {
    Map<Place, Own> own = new LinkedHashMap<>();
    for (RevisionStatus each : statuses) {
      if (each.standing != Standing.IN_FORCE) continue;
      LimitRevision one = each.revision;
      own.merge(
          new Place(one.limit(), one.scope()),
          new Own(one.set().over(Map.of()), one),
          (before, now) -> new Own(one.set().over(before.texts), one));
    }
    own.values().removeIf(each -> each.texts.isEmpty());
    return List.copyOf(own.values());
  }
}

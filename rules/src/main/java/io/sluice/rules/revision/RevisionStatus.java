package io.sluice.rules.revision;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * State of a revision at an instant.
 *
 * @param refusals periods in which the revision should be in force and is refused, with the
 *     reasons, in order
 */
public record RevisionStatus(LimitRevision revision, Standing standing, List<Refusal> refusals) {
  /** Kinds of states of a revision. */
  public enum Standing {
    PLANNED,
    IN_FORCE,
    ENDED,
    /**
     * The revision should be in force now and is refused, or it is refused for its whole period.
     */
    REFUSED
  }

  /**
   * Period in which a revision is refused.
   *
   * @param fromMs the first instant, in epoch milliseconds
   * @param untilMs the first instant after the period, in epoch milliseconds; {@link
   *     LimitRevision#FOR_GOOD} if there is none
   * @param reason in one line
   */
  public record Refusal(long fromMs, long untilMs, String reason) {
    boolean isAt(long ms) {
      return fromMs <= ms && ms < untilMs;
    }
  }

  /**
   * Settings that all revisions in force of one limit and scope have set together.
   *
   * @param texts settings by name; never empty
   * @param last revision that took effect last
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

  /**
   * Combines the settings of the revisions that are in force, for each limit and scope. The
   * revisions must be given in the order in which they are applied.
   */
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

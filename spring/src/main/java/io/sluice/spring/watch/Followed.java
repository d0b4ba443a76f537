package io.sluice.spring.watch;

import io.sluice.live.RevisionFollower;
import io.sluice.live.RevisionFollower.Standing;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.RevisionStatus;
import io.sluice.rules.revision.Scope;
import java.time.Instant;
import java.util.List;

/**
 * State of the topic from which the application reads revisions (dated changes of limits), for the
 * actuator.
 *
 * @param current whether the topic was recently read to its end
 * @param problem the reason why the topic was not recently read to its end; empty if it was
 * @param asOf time when the topic was last read to its end; empty if it never was
 * @param revisions number of revisions of this application's limits
 * @param refused up to 20 revisions that cannot be in force in this application, for all or part of
 *     their time
 */
record Followed(
    String topic,
    boolean current,
    String problem,
    String asOf,
    int revisions,
    List<Refused> refused) {
  private static final int MOST = 20;

  /** Revision (dated change of a limit) that cannot be in force in this application. */
  record Refused(String id, String limit, String reason) {}

  /**
   * Revision (dated change of a limit) that determines current settings of the limit.
   *
   * @param from time from which the revision is in force
   * @param by author of the revision
   */
  record Said(String id, String from, String by) {}

  static Followed of(RevisionFollower follower, long nowMs) {
    Standing standing = follower.standing();
    LimitsInForce limits = follower.now();
    return new Followed(
        follower.topic(),
        standing.current(),
        standing.problem(),
        standing.asOfMs() == 0 ? "" : Instant.ofEpochMilli(standing.asOfMs()).toString(),
        limits.size(),
        refused(limits, nowMs));
  }

  private static List<Refused> refused(LimitsInForce limits, long nowMs) {
    return limits.revisions(nowMs).stream()
        .filter(each -> !each.refusals().isEmpty())
        .limit(MOST)
        .map(Followed::refused)
        .toList();
  }

  private static Refused refused(RevisionStatus status) {
    LimitRevision revision = status.revision();
    return new Refused(revision.id(), revision.limit(), status.refusals().get(0).reason());
  }

  /**
   * Returns the revisions (dated changes of limits) that determine the settings of a limit for all
   * callers; an empty list if all settings are as configured.
   */
  static List<Said> said(LimitsInForce limits, String limit, long nowMs) {
    return limits.sayingSo(limit, Scope.WHOLE.event(), nowMs).stream()
        .map(
            each ->
                new Said(
                    each.id(), Instant.ofEpochMilli(each.effectiveAtMs()).toString(), each.by()))
        .toList();
  }
}

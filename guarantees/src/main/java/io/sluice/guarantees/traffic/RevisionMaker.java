package io.sluice.guarantees.traffic;

import io.sluice.guarantees.scenario.Ability;
import io.sluice.guarantees.scenario.ChangingLimits;
import io.sluice.guarantees.scenario.QueueLimit;
import io.sluice.guarantees.scenario.QueueLimits;
import io.sluice.guarantees.scenario.Revision;
import io.sluice.guarantees.scenario.Revision.Kind;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Creates the revisions (dated changes of limits) of a test run. Each takes effect some time after
 * it is published, and sets another quota or a verdict; some have an end, some are ended or deleted
 * later, and some are invalid.
 */
final class RevisionMaker {
  /**
   * Time in milliseconds from the publication of a revision to its start, the same as the default
   * of the command line.
   */
  private static final int AHEAD_MS = 2_000;

  /**
   * Longer time in milliseconds from publication to start, so that a revision can be deleted before
   * it starts.
   */
  private static final int FAR_AHEAD_MS = 12_000;

  private static final int SHORTEST_MS = 300;
  private static final int LONGEST_MS = 4_000;
  private static final List<String> VERDICTS = List.of("allow", "reject", "meter", "");

  /** One of so many revisions pauses a limit, or ends a pause. */
  private static final int PAUSE_IN = 14;

  private static final int SHORTEST_PAUSE_MS = 2_000;
  private static final int LONGEST_PAUSE_MS = 7_000;

  private final SplittableRandom random;
  private final boolean pauses;
  private Optional<Revision> far = Optional.empty();
  private Optional<Revision> forGood = Optional.empty();
  private Optional<Revision> paused = Optional.empty();
  private long made;

  RevisionMaker(SplittableRandom random) {
    this(random, Ability.PAUSE.isPresent());
  }

  /**
   * @param pauses whether some revisions (dated changes of limits) pause limits with a queue
   */
  RevisionMaker(SplittableRandom random, boolean pauses) {
    this.random = random;
    this.pauses = pauses;
  }

  Revision next(long nowMs) {
    if (pauses && random.nextInt(PAUSE_IN) == 0) return pauseOrResume(nowMs);
    return switch (random.nextInt(13)) {
      case 0, 1, 2 -> quota(ChangingLimits.STORED, nowMs + AHEAD_MS);
      case 3, 4, 5 -> quota(ChangingLimits.IN_REDIS, nowMs + AHEAD_MS);
      case 6, 7, 8 -> verdict(nowMs + AHEAD_MS);
      case 9 -> planOrTakeBack(nowMs);
      case 10 -> end(nowMs);
      case 11 -> slower(nowMs + AHEAD_MS);
      default -> refused(nowMs + AHEAD_MS);
    };
  }

  private Revision quota(String limit, long fromMs) {
    Revision quota = revision(limit, "", "quota", ChangingLimits.quota(permits()), fromMs);
    if (random.nextInt(3) == 0) return brief(quota);
    forGood = Optional.of(quota);
    return quota;
  }

  /** Lowers the quota of a limit with a queue for a while, so that events wait longer. */
  private Revision slower(long fromMs) {
    QueueLimit limit = QueueLimits.COURIER;
    long permits = random.nextLong(limit.leastPermits(), limit.permits());
    return brief(revision(limit.name(), "", "quota", limit.quota(permits), fromMs));
  }

  /**
   * Pauses a limit with a queue, for one user or for all, or ends the last pause early, as {@code
   * limits resume} does.
   */
  private Revision pauseOrResume(long nowMs) {
    Optional<Revision> last = paused.filter(each -> each.isActiveAt(nowMs));
    paused = Optional.empty();
    if (last.isPresent() && random.nextBoolean()) return last.get().until(nowMs);
    long fromMs = nowMs + AHEAD_MS;
    Revision pause =
        switch (random.nextInt(6)) {
          case 0 -> revision(QueueLimits.VENDOR.name(), "", "verdict", Revision.PAUSE, fromMs);
          case 1 -> revision(QueueLimits.COURIER.name(), "", "verdict", Revision.PAUSE, fromMs);
          default -> {
            String user = QueueLimits.user(random.nextInt(QueueLimits.USERS));
            yield revision(QueueLimits.COURIER.name(), user, "verdict", Revision.PAUSE, fromMs);
          }
        };
    int pausedMs = SHORTEST_PAUSE_MS + random.nextInt(LONGEST_PAUSE_MS - SHORTEST_PAUSE_MS);
    paused = Optional.of(pause.until(fromMs + pausedMs));
    return paused.get();
  }

  private Revision brief(Revision revision) {
    return revision.until(revision.fromMs() + SHORTEST_MS + random.nextInt(LONGEST_MS));
  }

  private Revision verdict(long fromMs) {
    boolean every = random.nextInt(3) == 0;
    String limit = every ? Revision.EVERY_LIMIT : ChangingLimits.VERDICTS;
    String user = ChangingLimits.user(random.nextInt(ChangingLimits.USERS));
    String verdict = VERDICTS.get(random.nextInt(VERDICTS.size()));
    Revision made = revision(limit, user, "verdict", verdict, fromMs);
    return every || random.nextInt(3) == 0 ? brief(made) : made;
  }

  private Revision planOrTakeBack(long nowMs) {
    Optional<Revision> planned = far.filter(each -> each.fromMs() - nowMs > AHEAD_MS);
    far = planned.isEmpty() ? Optional.of(quota(either(), nowMs + FAR_AHEAD_MS)) : Optional.empty();
    return planned.map(Revision::tombstone).orElseGet(far::get);
  }

  /** Sets an end for the last revision without an end, as {@code limits undo} does. */
  private Revision end(long nowMs) {
    Optional<Revision> ended = forGood.filter(each -> each.fromMs() < nowMs);
    if (ended.isEmpty()) return quota(either(), nowMs + AHEAD_MS);
    forGood = Optional.empty();
    return ended.get().until(nowMs + AHEAD_MS);
  }

  /** Creates an invalid or unreadable revision, which must have no effect. */
  private Revision refused(long fromMs) {
    String quota = ChangingLimits.quota(permits());
    return switch (random.nextInt(5)) {
      case 0 -> of(revision("unknown", "", "quota", quota, fromMs), Kind.REFUSED);
      case 1 -> of(revision(either(), "", "quota", "many/10s", fromMs), Kind.REFUSED);
      case 2 -> of(revision(either(), "", "key", "target", fromMs), Kind.REFUSED);
      case 3 -> of(revision(Revision.EVERY_LIMIT, "", "verdict", "reject", fromMs), Kind.REFUSED);
      default -> of(revision(either(), "", "quota", quota, fromMs), Kind.GARBAGE);
    };
  }

  private Revision revision(String limit, String user, String set, String text, long fromMs) {
    String id = "revision-" + ++made;
    return new Revision(id, limit, user, set, text, fromMs, Revision.FOR_GOOD, Kind.HOLDS);
  }

  private static Revision of(Revision revision, Kind kind) {
    return new Revision(
        revision.id(),
        revision.limit(),
        revision.user(),
        revision.setting(),
        revision.text(),
        revision.fromMs(),
        revision.untilMs(),
        kind);
  }

  private String either() {
    return random.nextBoolean() ? ChangingLimits.STORED : ChangingLimits.IN_REDIS;
  }

  private long permits() {
    return ChangingLimits.PERMITS_OF_FILE + 1 + made;
  }
}

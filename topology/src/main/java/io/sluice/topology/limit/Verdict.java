package io.sluice.topology.limit;

import io.sluice.limiter.Bucket;
import io.sluice.limiter.Outcome;
import io.sluice.topology.event.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The result for an event, and the limits that decided it.
 *
 * @param deciding the limit that decided, in a list of one; none if no enforced limit matched
 * @param shadows what the limits said that only watch
 * @param attempt 1 for the first metering
 * @param release when it is due, if it is delayed
 */
public record Verdict(
    Kind kind,
    Reason reason,
    List<LimitDecision> deciding,
    List<LimitDecision> shadows,
    int attempt,
    Release release) {

  Verdict(
      Kind kind,
      Reason reason,
      List<LimitDecision> deciding,
      List<LimitDecision> shadows,
      int attempt) {
    this(kind, reason, deciding, shadows, attempt, Release.NONE);
  }

  /** The output that the event goes to. */
  public enum Kind {
    ALLOWED("allowed"),
    REJECTED("rejected"),
    DELAYED("delayed");

    public final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  /** The reason for a rejection, or the fact that the event was allowed without Redis. */
  public enum Reason {
    NONE(""),
    OVER_LIMIT("over-limit"),
    OVERSIZED("oversized"),
    DELAY_TOO_LONG("delay-too-long"),
    ATTEMPTS_EXHAUSTED("attempts-exhausted"),
    REDIS_UNAVAILABLE("redis-unavailable"),
    UNMATCHED("unmatched"),
    DUPLICATE("duplicate"),
    BLOCKED("blocked"),
    DENIED("denied");

    final String text;

    Reason(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /** The treatment of another record that claims to be an admitted event. */
  public enum Duplicates {
    /** It is rejected, and nothing is charged. */
    REJECT,
    /** It is an event like any other: ids say nothing. */
    CHARGE,
    /** It gets the verdict of the first, and nothing is charged. */
    REPEAT
  }

  /** The verdict on an event that no limit matches. */
  public static Verdict unmatched(boolean rejects) {
    return rejects
        ? new Verdict(Kind.REJECTED, Reason.UNMATCHED, List.of(), List.of(), 1)
        : new Verdict(Kind.ALLOWED, Reason.NONE, List.of(), List.of(), 1);
  }

  /** Allowed, by none of the limits that match. */
  public static Verdict exempt() {
    return unmatched(false);
  }

  /**
   * Rejected because somebody said so.
   *
   * @param limit under which; none if whatever limit there is
   */
  public static Verdict denied(Optional<Limit> limit) {
    return new Verdict(
        Kind.REJECTED,
        Reason.DENIED,
        limit.map(LimitDecision::unknown).stream().toList(),
        List.of(),
        1);
  }

  /** Whether it is rejected because somebody said so. */
  public boolean isDenied() {
    return reason == Reason.DENIED;
  }

  /** Rejected on account of a limit that lets nothing pass while Redis is gone. */
  public static Verdict unavailable(Limit limit) {
    return new Verdict(
        Kind.REJECTED,
        Reason.REDIS_UNAVAILABLE,
        List.of(LimitDecision.unknown(limit)),
        List.of(),
        1);
  }

  /** To be metered once Redis is back, on account of a limit that waits for it. */
  public static Verdict awaitingRedis(Limit limit) {
    return new Verdict(
        Kind.DELAYED,
        Reason.REDIS_UNAVAILABLE,
        List.of(LimitDecision.unknown(limit)),
        List.of(),
        1);
  }

  /** Whether it says only that Redis is waited for: it has not been metered. */
  public boolean isAwaitingRedis() {
    return kind == Kind.DELAYED
        && reason == Reason.REDIS_UNAVAILABLE
        && deciding.stream().anyMatch(LimitDecision::isUnknown);
  }

  /** Allowed because the limit does not apply while Redis is gone. */
  public static Verdict passed(Limit limit) {
    return new Verdict(
        Kind.ALLOWED,
        Reason.REDIS_UNAVAILABLE,
        List.of(LimitDecision.unknown(limit)),
        List.of(),
        1);
  }

  /**
   * The same, marked as made while Redis was gone, if it was not rejected for a reason of its own.
   */
  public Verdict withoutRedis() {
    return reason == Reason.NONE
        ? new Verdict(kind, Reason.REDIS_UNAVAILABLE, deciding, shadows, attempt, release)
        : this;
  }

  /**
   * The verdict that follows from what the limits said.
   *
   * @param limits those that matched, in the order of the buckets and of the outcome's decisions
   */
  public static Verdict of(
      Outcome outcome, List<Limit> limits, List<Bucket> buckets, Duplicates duplicates) {
    List<LimitDecision> shadows = shadows(outcome, limits, buckets);
    if (shadows.size() == limits.size()) {
      return new Verdict(Kind.ALLOWED, Reason.NONE, List.of(), shadows, 1);
    }
    int i = outcome.deciding(buckets);
    LimitDecision deciding = decision(outcome, limits, buckets, i);
    boolean duplicate = outcome.kind() == Outcome.Kind.DUPLICATE;
    if (duplicate && duplicates != Duplicates.REPEAT) {
      return new Verdict(Kind.REJECTED, Reason.DUPLICATE, List.of(deciding), shadows, 1);
    }
    if (outcome.admitted() || duplicate) return admitted(outcome, deciding, shadows);
    boolean retried = isRetried(outcome, limits);
    Kind kind = retried ? Kind.DELAYED : Kind.REJECTED;
    Reason reason = retried ? Reason.NONE : deciding.refusal();
    return new Verdict(kind, reason, List.of(deciding), shadows, 1);
  }

  private static Verdict admitted(
      Outcome outcome, LimitDecision deciding, List<LimitDecision> shadows) {
    boolean waits = outcome.waits();
    return new Verdict(
        waits ? Kind.DELAYED : Kind.ALLOWED,
        Reason.NONE,
        List.of(deciding),
        shadows,
        1,
        waits ? Release.reserved(outcome.slotMicros()) : Release.NONE);
  }

  /** Whether all the limits that refused the event want it metered again. */
  private static boolean isRetried(Outcome outcome, List<Limit> limits) {
    for (int i = 0; i < limits.size(); i++) {
      LimitDecision ruling = LimitDecision.of(limits.get(i), "", outcome.judgements().get(i));
      if (limits.get(i).rule().shadow() || !ruling.refuses()) continue;
      if (!ruling.isRetried()) return false;
    }
    return true;
  }

  /** Somebody who is told which limits made a verdict. */
  public interface Tally {
    /** No enforced limit matched. */
    void undecided(Kind kind);

    void decided(Limit limit, Kind kind);

    /** What a limit said that only watches. */
    void watched(Limit limit, Kind kind);
  }

  /** Tells of the limits that made this. Called for every event: allocates nothing. */
  public void tell(Tally tally) {
    if (deciding.isEmpty()) tally.undecided(kind);
    else tally.decided(deciding.get(0).limit(), kind);
    for (int i = 0; i < shadows.size(); i++) {
      LimitDecision shadow = shadows.get(i);
      tally.watched(shadow.limit(), shadow.kind());
    }
  }

  /** Somebody who is told which keys of which limits made a verdict. */
  public interface KeyTally {
    /** No enforced limit matched. */
    void undecided(Kind kind);

    /** What a limit decided, or what it said if it only watches. */
    void decided(Limit limit, String key, Kind kind);
  }

  /**
   * The same, with the keys. It allocates nothing, unless nobody has asked for the key's state and
   * the key has several fields.
   */
  public void tell(Event event, KeyTally tally) {
    LimitDecision first = deciding.isEmpty() ? null : deciding.get(0);
    if (first == null || first.limit().rule().shadow()) tally.undecided(kind);
    else tally.decided(first.limit(), first.key(event), kind);
    for (int i = 0; i < shadows.size(); i++) {
      LimitDecision shadow = shadows.get(i);
      tally.decided(shadow.limit(), shadow.key(event), shadow.kind());
    }
  }

  /** Whether the event is to be metered again at a time that is still to be found. */
  public boolean isToBeRetried() {
    return kind == Kind.DELAYED && release.equals(Release.NONE);
  }

  /**
   * The same, with the time at which it is metered again; or rejected, if it has been too often.
   */
  public Verdict planned(Event event) {
    return RetryPlan.complete(this, event);
  }

  /** The same, delayed until then, and allowed at last. */
  public Verdict delayedUntil(long atMs) {
    return delayed(new Release(atMs, false));
  }

  /** The same, to be metered again then. */
  public Verdict retriedAt(long atMs) {
    return delayed(new Release(atMs, true));
  }

  /** When it is due, epoch milliseconds; 0 if it is not delayed. */
  public long dueMs() {
    return release.atMs();
  }

  /** Whether it is to be metered again when it is due. */
  public boolean metersAgain() {
    return release.metersAgain();
  }

  private Verdict delayed(Release until) {
    return new Verdict(Kind.DELAYED, reason, deciding, shadows, attempt, until);
  }

  /** The same event has been metered so often that it is refused for good. */
  Verdict exhausted() {
    return new Verdict(Kind.REJECTED, Reason.ATTEMPTS_EXHAUSTED, deciding, shadows, attempt);
  }

  /** The same, as the verdict of a later metering. */
  public Verdict onAttempt(int number) {
    return number == attempt ? this : new Verdict(kind, reason, deciding, shadows, number, release);
  }

  private static List<LimitDecision> shadows(
      Outcome outcome, List<Limit> limits, List<Bucket> buckets) {
    List<LimitDecision> shadows = List.of();
    for (int i = 0; i < limits.size(); i++) {
      if (!limits.get(i).rule().shadow()) continue;
      if (shadows.isEmpty()) shadows = new ArrayList<>(limits.size());
      shadows.add(decision(outcome, limits, buckets, i));
    }
    return shadows;
  }

  private static LimitDecision decision(
      Outcome outcome, List<Limit> limits, List<Bucket> buckets, int i) {
    return LimitDecision.of(limits.get(i), buckets.get(i).key(), outcome.judgements().get(i));
  }
}

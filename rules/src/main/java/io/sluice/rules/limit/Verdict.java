package io.sluice.rules.limit;

import io.sluice.limiter.Bucket;
import io.sluice.limiter.Decision;
import io.sluice.limiter.Outcome;
import io.sluice.rules.event.Event;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * Result of metering an event, with the limits that decided it.
 *
 * @param deciding decision of the limit that decided, in a list of one; empty if no enforced limit
 *     matched
 * @param shadows results of the limits in shadow mode
 * @param attempt 1 for the first metering
 * @param release due time of a delayed event, and its next step
 */
public record Verdict(
    Kind kind,
    Reason reason,
    List<LimitDecision> deciding,
    List<LimitDecision> shadows,
    int attempt,
    Release release) {

  private static Verdict of(
      Kind kind, Reason reason, List<LimitDecision> deciding, List<LimitDecision> shadows) {
    return new Verdict(kind, reason, deciding, shadows, 1, Release.NONE);
  }

  /** Kind of verdict, which decides on the output topic of the event. */
  public enum Kind {
    ALLOWED("allowed"),
    REJECTED("rejected"),
    DELAYED("delayed");

    public final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  /**
   * Reason for a rejection. {@code REDIS_UNAVAILABLE} also marks events that are not rejected, but
   * were allowed or delayed without Redis. {@code PAUSED} marks delayed events. {@code TOMBSTONE}
   * and {@code MISSING_FIELD} mark records that are not events and are passed on unmetered.
   */
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
    DENIED("denied"),
    MISSING_KEY("missing-key"),
    QUEUE_FULL("queue-full"),
    EXPIRED("expired"),
    PAUSED("paused"),
    CANCELLED("cancelled"),
    TOMBSTONE("tombstone"),
    MISSING_FIELD("missing-field");

    final String text;

    Reason(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /** Treatment of a duplicate: another record with the identity of an event that was admitted. */
  public enum Duplicates {
    /** The duplicate is rejected, and nothing is charged. */
    REJECT,
    /** The duplicate is charged like any other event; event ids are ignored. */
    CHARGE,
    /** The duplicate gets the verdict of the first record, and nothing is charged. */
    REPEAT
  }

  /**
   * Returns the verdict on an event that no limit matches.
   *
   * @param rejects whether such events are rejected instead of being allowed
   */
  public static Verdict unmatched(boolean rejects) {
    return rejects
        ? of(Kind.REJECTED, Reason.UNMATCHED, List.of(), List.of())
        : of(Kind.ALLOWED, Reason.NONE, List.of(), List.of());
  }

  /**
   * Returns the verdict on a record that is not an event, and is passed on without metering.
   *
   * @param why reason why the record is not an event
   */
  public static Verdict unmetered(Reason why) {
    return of(Kind.ALLOWED, why, List.of(), List.of());
  }

  /**
   * Returns the rejection of an event, without metering, by a limit that rejects events without the
   * fields of its key.
   */
  static Verdict missingKey(Limit limit) {
    return of(
        Kind.REJECTED, Reason.MISSING_KEY, List.of(LimitDecision.missingKey(limit)), List.of());
  }

  /**
   * Returns this verdict, with the result of a limit in shadow mode that would reject the event
   * because the event lacks a field of its key.
   */
  public Verdict withMissingKey(Limit shadow) {
    return withShadow(LimitDecision.missingKey(shadow));
  }

  /** Returns this verdict, with another result of a limit in shadow mode. */
  Verdict withShadow(LimitDecision shadow) {
    List<LimitDecision> all = new ArrayList<>(shadows);
    all.add(shadow);
    return new Verdict(kind, reason, deciding, all, attempt, release);
  }

  /**
   * Returns the verdict on an event, without metering, by a limit whose opening hours are closed: a
   * rejection, or a delay whose due time {@link RetryPlan} adds.
   */
  static Verdict closed(LimitDecision deciding) {
    return of(deciding.kind(), deciding.reason(), List.of(deciding), List.of());
  }

  /**
   * Returns the verdict on an event, without metering, by a limit with a queue that is paused.
   *
   * @param ms instant of the verdict, epoch milliseconds
   * @param untilMs end of the pause, or an estimate of it, epoch milliseconds
   */
  public static Verdict paused(Limit limit, Event event, long ms, long untilMs) {
    LimitDecision deciding = LimitDecision.paused(limit, event, ms, untilMs);
    return of(Kind.DELAYED, Reason.PAUSED, List.of(deciding), List.of());
  }

  /** Returns this verdict on an event that waits, with {@code PAUSED} as its reason. */
  public Verdict paused() {
    return kind == Kind.DELAYED
        ? new Verdict(kind, Reason.PAUSED, deciding, shadows, attempt, release)
        : this;
  }

  /** Returns the verdict on an event that matches limits and is exempt from all of them. */
  public static Verdict exempt() {
    return unmatched(false);
  }

  /**
   * Returns the rejection of an event by a revision (a change of limits) that denies it without
   * metering.
   *
   * @param limit limit that the revision changes; empty if the revision is for all limits
   */
  public static Verdict denied(Optional<Limit> limit) {
    return of(
        Kind.REJECTED,
        Reason.DENIED,
        limit.map(LimitDecision::unknown).stream().toList(),
        List.of());
  }

  /** Returns whether a revision (a change of limits) rejected the event without metering. */
  public boolean isDenied() {
    return reason == Reason.DENIED;
  }

  /** Returns the rejection by a limit that rejects all events while Redis is unavailable. */
  public static Verdict unavailable(Limit limit) {
    return of(
        Kind.REJECTED, Reason.REDIS_UNAVAILABLE, List.of(LimitDecision.unknown(limit)), List.of());
  }

  /**
   * Returns the verdict on an event that is metered when Redis is available again, because this
   * limit waits for Redis.
   */
  public static Verdict awaitingRedis(Limit limit) {
    return of(
            Kind.DELAYED,
            Reason.REDIS_UNAVAILABLE,
            List.of(LimitDecision.unknown(limit)),
            List.of())
        .retriedAt(0);
  }

  /**
   * Returns whether the event only waits for Redis to be available, and has not been metered. An
   * event that is allowed without Redis, and delayed to keep its order, has the same reason.
   */
  public boolean isAwaitingRedis() {
    return release.metersAgain()
        && reason == Reason.REDIS_UNAVAILABLE
        && deciding.stream().anyMatch(LimitDecision::isUnknown);
  }

  /**
   * Returns the verdict on an event that is allowed because the limit does not apply during an
   * outage of Redis.
   */
  public static Verdict passed(Limit limit) {
    return of(
        Kind.ALLOWED, Reason.REDIS_UNAVAILABLE, List.of(LimitDecision.unknown(limit)), List.of());
  }

  /**
   * Returns this verdict, with {@code REDIS_UNAVAILABLE} as its reason unless it already has a
   * reason.
   */
  public Verdict withoutRedis() {
    return reason == Reason.NONE
        ? new Verdict(kind, Reason.REDIS_UNAVAILABLE, deciding, shadows, attempt, release)
        : this;
  }

  /**
   * Returns the verdict that follows from the outcome of metering.
   *
   * @param limits limits that matched, in the order of the buckets and of the outcome's decisions
   */
  public static Verdict of(
      Outcome outcome, List<Limit> limits, List<Bucket> buckets, Duplicates duplicates) {
    List<LimitDecision> shadows = shadows(outcome, limits, buckets);
    if (shadows.size() == limits.size()) {
      return of(Kind.ALLOWED, Reason.NONE, List.of(), shadows);
    }
    int i = outcome.deciding(buckets);
    LimitDecision deciding = decision(outcome, limits, buckets, i);
    boolean duplicate = outcome.kind() == Outcome.Kind.DUPLICATE;
    if (duplicate && duplicates != Duplicates.REPEAT) {
      return of(Kind.REJECTED, Reason.DUPLICATE, List.of(deciding), shadows);
    }
    if (outcome.admitted() || duplicate) return admitted(outcome, deciding, shadows);
    if (isMeteredAgain(outcome, limits)) {
      return of(Kind.DELAYED, Reason.NONE, List.of(deciding), shadows);
    }
    LimitDecision refusing = deciding.isQueued() ? rejecting(outcome, limits, buckets) : deciding;
    return of(Kind.REJECTED, refusing.refusal(), List.of(refusing), shadows);
  }

  /** Returns the longest wait among the limits that reject an event instead of letting it wait. */
  private static LimitDecision rejecting(
      Outcome outcome, List<Limit> limits, List<Bucket> buckets) {
    return IntStream.range(0, limits.size())
        .filter(i -> !limits.get(i).rule().shadow())
        .mapToObj(i -> decision(outcome, limits, buckets, i))
        .filter(each -> each.refuses() && !each.isMeteredAgain())
        .max(Comparator.comparingLong(LimitDecision::waitMicros))
        .orElseThrow();
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

  /**
   * Returns whether all enforced limits that refused the event have such events metered again
   * later.
   */
  private static boolean isMeteredAgain(Outcome outcome, List<Limit> limits) {
    for (int i = 0; i < limits.size(); i++) {
      LimitDecision ruling = LimitDecision.of(limits.get(i), "", outcome.judgements().get(i));
      if (limits.get(i).rule().shadow() || !ruling.refuses()) continue;
      if (!ruling.isMeteredAgain()) return false;
    }
    return true;
  }

  /**
   * Reports the limits that made this verdict to a listener. Called for every event; allocates
   * nothing.
   */
  public void tell(VerdictListener listener) {
    LimitDecision first = deciding.isEmpty() ? null : deciding.get(0);
    if (first == null || first.limit().rule().shadow()) listener.undecided(kind);
    else listener.decided(first, kind);
    for (int i = 0; i < shadows.size(); i++) listener.watched(shadows.get(i));
  }

  /** Returns whether the event is to be metered again at a time that is not known yet. */
  public boolean isToBeRetried() {
    return kind == Kind.DELAYED && release.equals(Release.NONE) && !isToBeQueued();
  }

  /** Returns whether a limit with a queue refused the event, which is to wait in line. */
  public boolean isToBeQueued() {
    return kind == Kind.DELAYED && deciding.stream().anyMatch(LimitDecision::isQueued);
  }

  /** Returns whether the event waits in line, so that its due time is an estimate. */
  public boolean isQueued() {
    return release.step() == Release.Step.QUEUED;
  }

  /**
   * Returns the verdict on an event that must wait in line without being metered.
   *
   * @param limit limit for which the line waits
   * @param waitMicros estimated wait
   */
  public static Verdict queued(Limit limit, String key, long waitMicros, long nowMs) {
    Decision wait = new Decision.NonConforming(0, waitMicros, waitMicros);
    LimitDecision decision = new LimitDecision(limit, key, wait, nowMs * 1_000);
    return of(Kind.DELAYED, Reason.NONE, List.of(decision), List.of())
        .queuedUntil(nowMs + (waitMicros + 999) / 1_000);
  }

  /** Returns the rejection of an event that may not wait in line, or no longer. */
  public static Verdict notQueued(Limit limit, Reason reason) {
    return of(Kind.REJECTED, reason, List.of(LimitDecision.unknown(limit)), List.of());
  }

  /**
   * Returns the rejection of an event that an order has cancelled while it waited in line.
   *
   * @param limit limit for which the event waited; empty if the limit is gone
   */
  public static Verdict cancelled(Optional<Limit> limit) {
    return of(
        Kind.REJECTED,
        Reason.CANCELLED,
        limit.map(LimitDecision::unknown).stream().toList(),
        List.of());
  }

  /** Returns this verdict, waiting in line until about {@code atMs} in epoch milliseconds. */
  public Verdict queuedUntil(long atMs) {
    return delayed(new Release(atMs, Release.Step.QUEUED));
  }

  /**
   * Returns this verdict on an admitted event, with the instant at which a limit with a queue let
   * the event pass, epoch milliseconds.
   */
  public Verdict admittedAt(long atMs) {
    return new Verdict(
        kind, reason, deciding, shadows, attempt, new Release(atMs, Release.Step.ADMITTED));
  }

  /**
   * Returns this verdict, delayed until {@code atMs} in epoch milliseconds; the event is then
   * allowed.
   */
  public Verdict delayedUntil(long atMs) {
    return delayed(new Release(atMs, Release.Step.ALLOWED));
  }

  /**
   * Returns this verdict, delayed until {@code atMs} in epoch milliseconds; the event is then
   * metered again.
   */
  public Verdict retriedAt(long atMs) {
    return delayed(new Release(atMs, Release.Step.METERED));
  }

  /**
   * Returns the due time of a delayed event in epoch milliseconds; 0 if the event is not delayed.
   */
  public long dueMs() {
    return release.atMs();
  }

  /** Returns the instant at which a limit with a queue let the event pass; empty otherwise. */
  OptionalLong admittedAtMs() {
    return release.step() == Release.Step.ADMITTED
        ? OptionalLong.of(release.atMs())
        : OptionalLong.empty();
  }

  /** Returns whether the event is metered again when it is due. */
  public boolean metersAgain() {
    return release.metersAgain();
  }

  private Verdict delayed(Release until) {
    return new Verdict(Kind.DELAYED, reason, deciding, shadows, attempt, until);
  }

  /** Returns the rejection of an event that would have to wait too long for a limit to open. */
  Verdict openingTooLate(LimitDecision late) {
    return new Verdict(
        Kind.REJECTED, Reason.DELAY_TOO_LONG, List.of(late), shadows, attempt, Release.NONE);
  }

  /** Returns this verdict, delayed by the wait of another decision, and metered again then. */
  Verdict retriedAfter(LimitDecision wait) {
    long atMs = (wait.nowMicros() + wait.waitMicros() + 999) / 1_000;
    return new Verdict(
        kind, reason, List.of(wait), shadows, attempt, new Release(atMs, Release.Step.METERED));
  }

  /** Returns the rejection of an event that limits have refused on its last attempt. */
  Verdict exhausted() {
    return new Verdict(
        Kind.REJECTED, Reason.ATTEMPTS_EXHAUSTED, deciding, shadows, attempt, Release.NONE);
  }

  /**
   * Returns this verdict as the result of the attempt with this number; the first metering is 1.
   */
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

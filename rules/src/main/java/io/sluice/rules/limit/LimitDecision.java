package io.sluice.rules.limit;

import io.sluice.limiter.Decision;
import io.sluice.limiter.Judgement;
import io.sluice.rules.event.Event;
import io.sluice.rules.limit.Limit.Exceeded;

/**
 * Decision of one limit about an event.
 *
 * @param key the event's key under the limit; empty if the decision is unknown
 * @param nowMicros instant of the decision in epoch microseconds, from which waits are counted
 */
public record LimitDecision(Limit limit, String key, Decision decision, long nowMicros) {
  private static final Decision UNKNOWN = new Decision.Conforming(0, 0);

  private static final Decision MISSING_KEY = new Decision.Oversized(0, 0, 0, 0);

  /**
   * Returns a placeholder for the decision of a limit whose count was not read, such as a limit in
   * Redis during an outage.
   */
  static LimitDecision unknown(Limit limit) {
    return new LimitDecision(limit, "", UNKNOWN, 0);
  }

  /**
   * Returns a placeholder for the decision of a limit that rejects an event without metering,
   * because the event lacks a field of its key.
   */
  static LimitDecision missingKey(Limit limit) {
    return new LimitDecision(limit, "", MISSING_KEY, 0);
  }

  /**
   * Returns the decision of a limit whose opening hours are closed: the event waits, or is refused,
   * until an instant. The limit's count is not read.
   *
   * @param ms instant of the decision, epoch milliseconds
   */
  static LimitDecision closed(Limit limit, Event event, long ms, long opensAtMs) {
    long waitMicros = (opensAtMs - ms) * 1_000;
    boolean waits = waitMicros <= limit.rule().at(ms * 1_000).patienceMicros();
    Decision decision =
        waits
            ? new Decision.Waiting(0, waitMicros, waitMicros)
            : new Decision.NonConforming(0, waitMicros, waitMicros);
    return new LimitDecision(limit, limit.key().of(event), decision, ms * 1_000);
  }

  /**
   * Returns the decision of a limit with a queue that is paused: the event waits in line. The
   * limit's count is not read.
   *
   * @param ms instant of the decision, epoch milliseconds
   */
  static LimitDecision paused(Limit limit, Event event, long ms, long untilMs) {
    long waitMicros = (untilMs - ms) * 1_000;
    Decision decision = new Decision.NonConforming(0, waitMicros, waitMicros);
    return new LimitDecision(limit, limit.key().of(event), decision, ms * 1_000);
  }

  /** Returns this decision with a longer wait. */
  LimitDecision waiting(long waitMicros) {
    long resetMicros = Math.max(waitMicros, decision.resetAfterMicros());
    Decision longer = new Decision.NonConforming(decision.remaining(), waitMicros, resetMicros);
    return new LimitDecision(limit, key, longer, nowMicros);
  }

  static LimitDecision of(Limit limit, String key, Judgement judgement) {
    return new LimitDecision(limit, key, judgement.decision(), judgement.nowMicros());
  }

  /** Returns whether the limit's count was not read, so that there are no numbers to report. */
  @SuppressWarnings("ReferenceEquality") // one instance marks unknown decisions
  boolean isUnknown() {
    return decision == UNKNOWN || lacksKey();
  }

  @SuppressWarnings("ReferenceEquality") // one instance marks events without a key
  private boolean lacksKey() {
    return decision == MISSING_KEY;
  }

  /** Returns the event's key under the limit, from the event itself if the decision is unknown. */
  public String key(Event event) {
    return isUnknown() ? limit.key().of(event) : key;
  }

  /** Returns the kind of verdict that the event would get from this limit alone. */
  public Verdict.Kind kind() {
    if (decision instanceof Decision.Conforming) return Verdict.Kind.ALLOWED;
    boolean waits = decision instanceof Decision.Waiting || isMeteredAgain();
    return waits ? Verdict.Kind.DELAYED : Verdict.Kind.REJECTED;
  }

  /** Returns whether the limit refuses the event, even if the event may be metered again later. */
  boolean refuses() {
    return refusesForNow()
        || decision instanceof Decision.Oversized
        || decision instanceof Decision.Known;
  }

  /** Returns whether the limit refuses the event now and would accept it after a wait. */
  boolean refusesForNow() {
    return decision instanceof Decision.NonConforming || decision instanceof Decision.Blocked;
  }

  /** Returns whether the limit refuses the event now, and the event is metered again later. */
  boolean isRetried() {
    return decision instanceof Decision.NonConforming && limit.retries();
  }

  /** Returns whether the limit refuses the event now, and the event waits in line. */
  public boolean isQueued() {
    return decision instanceof Decision.NonConforming && limit.exceeded() instanceof Exceeded.Queue;
  }

  /** Returns whether the limit refuses the event now, and the event is metered again later. */
  boolean isMeteredAgain() {
    return isRetried() || isQueued();
  }

  /**
   * Returns the wait of the event under this limit alone, or until the slot that the limit reserved
   * for it, in microseconds; 0 if there is no wait.
   */
  public long waitMicros() {
    if (decision instanceof Decision.Waiting waiting) return waiting.waitMicros();
    if (decision instanceof Decision.Blocked blocked) return blocked.retryAfterMicros();
    return decision instanceof Decision.NonConforming refused ? refused.retryAfterMicros() : 0;
  }

  /**
   * Returns the reason for a rejection if this limit alone would reject the event, else {@code
   * NONE}.
   */
  Verdict.Reason reason() {
    return kind() == Verdict.Kind.REJECTED ? refusal() : Verdict.Reason.NONE;
  }

  /** Returns the reason for the rejection of an event, given that this limit decided it. */
  Verdict.Reason refusal() {
    if (lacksKey()) return Verdict.Reason.MISSING_KEY;
    if (decision instanceof Decision.Oversized) return Verdict.Reason.OVERSIZED;
    if (decision instanceof Decision.Blocked) return Verdict.Reason.BLOCKED;
    if (decision instanceof Decision.Known) return Verdict.Reason.DUPLICATE;
    return limit.rule().shapes() ? Verdict.Reason.DELAY_TOO_LONG : Verdict.Reason.OVER_LIMIT;
  }
}

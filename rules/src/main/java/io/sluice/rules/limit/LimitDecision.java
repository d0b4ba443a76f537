package io.sluice.rules.limit;

import io.sluice.limiter.Decision;
import io.sluice.limiter.Judgement;
import io.sluice.rules.event.Event;

/**
 * Decision of one limit about an event.
 *
 * @param key the event's key under the limit; empty if the decision is unknown
 * @param nowMicros instant at which the bucket was judged, from which waits count
 */
record LimitDecision(Limit limit, String key, Decision decision, long nowMicros) {
  private static final Decision UNKNOWN = new Decision.Conforming(0, 0);

  /**
   * Returns the decision of a limit whose count was not read, such as one in Redis during an
   * outage.
   */
  static LimitDecision unknown(Limit limit) {
    return new LimitDecision(limit, "", UNKNOWN, 0);
  }

  static LimitDecision of(Limit limit, String key, Judgement judgement) {
    return new LimitDecision(limit, key, judgement.decision(), judgement.nowMicros());
  }

  @SuppressWarnings("ReferenceEquality") // one instance marks unknown decisions
  boolean isUnknown() {
    return decision == UNKNOWN;
  }

  /** Returns the event's key under the limit. */
  String key(Event event) {
    return isUnknown() ? limit.key().of(event) : key;
  }

  /** Returns the verdict that this limit alone would give. */
  Verdict.Kind kind() {
    if (decision instanceof Decision.Conforming) return Verdict.Kind.ALLOWED;
    boolean waits = decision instanceof Decision.Waiting || isRetried();
    return waits ? Verdict.Kind.DELAYED : Verdict.Kind.REJECTED;
  }

  /** Returns whether the limit refuses the event, even if it may be metered again. */
  boolean refuses() {
    return refusesForNow()
        || decision instanceof Decision.Oversized
        || decision instanceof Decision.Known;
  }

  /** Returns whether the limit refuses the event now and would accept it after a wait. */
  boolean refusesForNow() {
    return decision instanceof Decision.NonConforming || decision instanceof Decision.Blocked;
  }

  /** Returns whether the limit refuses the event now and has it metered again. */
  boolean isRetried() {
    return decision instanceof Decision.NonConforming && limit.retries();
  }

  /**
   * Returns the wait under this limit alone, or until its reserved slot, microseconds; 0 if none.
   */
  long waitMicros() {
    if (decision instanceof Decision.Waiting waiting) return waiting.waitMicros();
    if (decision instanceof Decision.Blocked blocked) return blocked.retryAfterMicros();
    return decision instanceof Decision.NonConforming refused ? refused.retryAfterMicros() : 0;
  }

  /** Returns the reason if this limit alone would reject the event, else {@code NONE}. */
  Verdict.Reason reason() {
    return kind() == Verdict.Kind.REJECTED ? refusal() : Verdict.Reason.NONE;
  }

  /** Returns the reason of a rejected event that this limit decided. */
  Verdict.Reason refusal() {
    if (decision instanceof Decision.Oversized) return Verdict.Reason.OVERSIZED;
    if (decision instanceof Decision.Blocked) return Verdict.Reason.BLOCKED;
    if (decision instanceof Decision.Known) return Verdict.Reason.DUPLICATE;
    return limit.rule().shapes() ? Verdict.Reason.DELAY_TOO_LONG : Verdict.Reason.OVER_LIMIT;
  }
}

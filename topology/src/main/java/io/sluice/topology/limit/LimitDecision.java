package io.sluice.topology.limit;

import io.sluice.limiter.Decision;
import io.sluice.limiter.Judgement;
import io.sluice.topology.event.Event;

/**
 * The decision of one limit about an event.
 *
 * @param key that it counts the event by; nothing if it is unknown
 * @param nowMicros the instant at which its bucket was judged, from which waits count
 */
record LimitDecision(Limit limit, String key, Decision decision, long nowMicros) {
  private static final Decision UNKNOWN = new Decision.Conforming(0, 0);

  /** Nothing: nobody has asked for its state, or that is in Redis, which is gone. */
  static LimitDecision unknown(Limit limit) {
    return new LimitDecision(limit, "", UNKNOWN, 0);
  }

  static LimitDecision of(Limit limit, String key, Judgement judgement) {
    return new LimitDecision(limit, key, judgement.decision(), judgement.nowMicros());
  }

  @SuppressWarnings("ReferenceEquality") // the one instance stands for what is not known
  boolean isUnknown() {
    return decision == UNKNOWN;
  }

  /** The key of an event that this is about. */
  String key(Event event) {
    return isUnknown() ? limit.key().of(event) : key;
  }

  /** The verdict as far as this limit is concerned. */
  Verdict.Kind kind() {
    if (decision instanceof Decision.Conforming) return Verdict.Kind.ALLOWED;
    boolean waits = decision instanceof Decision.Waiting || isRetried();
    return waits ? Verdict.Kind.DELAYED : Verdict.Kind.REJECTED;
  }

  /** Whether the limit refuses the event, whatever may become of it. */
  boolean refuses() {
    return refusesForNow()
        || decision instanceof Decision.Oversized
        || decision instanceof Decision.Known;
  }

  /** Whether the limit refuses the event, and would not after a wait. */
  boolean refusesForNow() {
    return decision instanceof Decision.NonConforming || decision instanceof Decision.Blocked;
  }

  /** Whether the limit refuses the event for now, and wants it metered again. */
  boolean isRetried() {
    return decision instanceof Decision.NonConforming && limit.retries();
  }

  /** How long the event must wait under this limit alone, or after what it reserved. */
  long waitMicros() {
    if (decision instanceof Decision.Waiting waiting) return waiting.waitMicros();
    if (decision instanceof Decision.Blocked blocked) return blocked.retryAfterMicros();
    return decision instanceof Decision.NonConforming refused ? refused.retryAfterMicros() : 0;
  }

  /** Why it would reject the event, if it would. */
  Verdict.Reason reason() {
    return kind() == Verdict.Kind.REJECTED ? refusal() : Verdict.Reason.NONE;
  }

  /** Why the event is rejected, now that it is. */
  Verdict.Reason refusal() {
    if (decision instanceof Decision.Oversized) return Verdict.Reason.OVERSIZED;
    if (decision instanceof Decision.Blocked) return Verdict.Reason.BLOCKED;
    if (decision instanceof Decision.Known) return Verdict.Reason.DUPLICATE;
    return limit.rule().shapes() ? Verdict.Reason.DELAY_TOO_LONG : Verdict.Reason.OVER_LIMIT;
  }
}

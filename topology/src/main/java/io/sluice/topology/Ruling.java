package io.sluice.topology;

import io.sluice.limiter.Decision;

/** What one limit said of an event. */
record Ruling(Limit limit, Decision decision) {
  private static final Decision UNKNOWN = new Decision.Conforming(0, 0);

  /** Nothing: its state is in Redis, which is gone. */
  static Ruling unavailable(Limit limit) {
    return new Ruling(limit, UNKNOWN);
  }

  @SuppressWarnings("ReferenceEquality") // the one instance stands for what is not known
  boolean isUnavailable() {
    return decision == UNKNOWN;
  }

  /** The verdict as far as this limit is concerned. */
  Verdict.Kind kind() {
    boolean conforms = decision instanceof Decision.Conforming;
    return conforms ? Verdict.Kind.ALLOWED : Verdict.Kind.REJECTED;
  }

  /** Why it would reject the event, if it would. */
  Verdict.Reason reason() {
    if (kind() != Verdict.Kind.REJECTED) return Verdict.Reason.NONE;
    if (decision instanceof Decision.Oversized) return Verdict.Reason.OVERSIZED;
    return limit.rule().shapes() ? Verdict.Reason.DELAY_TOO_LONG : Verdict.Reason.OVER_LIMIT;
  }
}

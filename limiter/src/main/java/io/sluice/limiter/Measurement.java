package io.sluice.limiter;

/**
 * An arrival held against one limit's state, wherever that state is kept. Both backends find these
 * facts; the decision is derived from them here, and so is the same.
 */
public sealed interface Measurement {
  /** Permits that could still arrive, after what was charged. */
  long remaining();

  /** When the key is as good as new. */
  long newAtMicros();

  /**
   * An arrival that conforms at this instant, now or later.
   *
   * @param atMicros the first such instant
   */
  record Conforms(long atMicros, long remaining, long newAtMicros) implements Measurement {}

  /** An arrival that costs more than could ever fit. */
  record Oversized(long remaining, long newAtMicros) implements Measurement {}

  /** An arrival of a key that is blocked until this instant. */
  record Blocked(long untilMicros, long newAtMicros) implements Measurement {
    @Override
    public long remaining() {
      return 0;
    }
  }

  /** An arrival whose key is known already, and which is therefore refused. */
  record Known(long newAtMicros) implements Measurement {
    @Override
    public long remaining() {
      return 0;
    }
  }

  /** An arrival that was charged before, which holds still. */
  record ChargedBefore(long atMicros, long remaining, long newAtMicros) implements Measurement {}

  /** What follows for an arrival of this cost, judged at {@code nowMicros}. */
  default Judgement judge(Rule rule, long cost, long nowMicros) {
    return new Judgement(nowMicros, decide(rule, cost, nowMicros));
  }

  private Decision decide(Rule rule, long cost, long nowMicros) {
    long reset = Math.max(0, newAtMicros() - nowMicros);
    if (this instanceof ChargedBefore before) {
      return before.atMicros > nowMicros
          ? new Decision.Waiting(remaining(), before.atMicros - nowMicros, reset)
          : new Decision.Conforming(remaining(), reset);
    }
    if (this instanceof Blocked blocked) {
      return new Decision.Blocked(blocked.untilMicros - nowMicros, reset);
    }
    if (this instanceof Known) return new Decision.Known(reset);
    if (!(this instanceof Conforms conforms)) {
      return new Decision.Oversized(cost, rule.capacity(), remaining(), reset);
    }
    long wait = conforms.atMicros - nowMicros;
    if (wait == 0) return new Decision.Conforming(remaining(), reset);
    return wait <= rule.patienceMicros()
        ? new Decision.Waiting(remaining(), wait, reset)
        : new Decision.NonConforming(remaining(), wait, reset);
  }
}

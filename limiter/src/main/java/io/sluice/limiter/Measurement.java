package io.sluice.limiter;

/**
 * Facts about an arrival that one limit's state gives, in either backend. The decision is derived
 * from them in this type only, so both backends decide alike.
 */
public sealed interface Measurement {
  /** Returns the permits still available, after the arrival's charge if it has one. */
  long remaining();

  /** Returns the instant at which the key is fully reset. */
  long newAtMicros();

  /**
   * The arrival conforms at an instant, now or later.
   *
   * @param atMicros the first such instant
   */
  record Conforms(long atMicros, long remaining, long newAtMicros) implements Measurement {}

  /** The arrival costs more than the limit's capacity. */
  record Oversized(long remaining, long newAtMicros) implements Measurement {}

  /** The key is blocked until this instant. */
  record Blocked(long untilMicros, long newAtMicros) implements Measurement {
    @Override
    public long remaining() {
      return 0;
    }
  }

  /** The key was admitted within the period, so the arrival is refused. */
  record Known(long newAtMicros) implements Measurement {
    @Override
    public long remaining() {
      return 0;
    }
  }

  /** The same arrival was charged before, at this instant, and the charge stands. */
  record ChargedBefore(long atMicros, long remaining, long newAtMicros) implements Measurement {}

  /** Derives the decision for an arrival of this cost, judged at {@code nowMicros}. */
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

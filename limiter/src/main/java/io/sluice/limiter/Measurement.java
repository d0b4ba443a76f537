package io.sluice.limiter;

/**
 * Facts about an arrival that a limit's state gives, in the state store or in Redis. The decision
 * is derived from these facts in this type only, so both backends decide alike.
 */
public sealed interface Measurement {
  /** Returns the permits still available, after the arrival's charge if it was charged. */
  long remaining();

  /** Returns the instant at which the key is fully reset, in epoch microseconds. */
  long newAtMicros();

  /**
   * The arrival conforms at an instant, now or later.
   *
   * @param atMicros first instant at which the arrival conforms, in epoch microseconds
   */
  record Conforms(long atMicros, long remaining, long newAtMicros) implements Measurement {}

  /** The arrival costs more than the limit's capacity. */
  record Oversized(long remaining, long newAtMicros) implements Measurement {}

  /**
   * The arrival has more values than the limit admits distinct values in a period.
   *
   * @param values number of the arrival's values
   */
  record TooManyValues(int values, long remaining, long newAtMicros) implements Measurement {}

  /** The key is blocked until {@code untilMicros}, and refuses the arrival. */
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

  /**
   * The arrival, or for a duplicate the first record of its event, was charged before, at {@code
   * atMicros}. That charge stays valid, and no second one is made.
   */
  record ChargedBefore(long atMicros, long remaining, long newAtMicros) implements Measurement {}

  /** Derives the decision for an arrival that was judged at {@code nowMicros}. */
  default Judgement judge(Rule rule, Arrival arrival, long nowMicros) {
    return new Judgement(nowMicros, decide(rule, arrival, nowMicros));
  }

  private Decision decide(Rule rule, Arrival arrival, long nowMicros) {
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
    if (this instanceof TooManyValues many) {
      return new Decision.Oversized(many.values, rule.quota().permits(), remaining(), reset);
    }
    if (!(this instanceof Conforms conforms)) {
      return new Decision.Oversized(arrival.cost(), rule.capacity(), remaining(), reset);
    }
    long wait = conforms.atMicros - nowMicros;
    if (wait == 0) return new Decision.Conforming(remaining(), reset);
    return wait <= arrival.patienceMicros(rule, nowMicros)
        ? new Decision.Waiting(remaining(), wait, reset)
        : new Decision.NonConforming(remaining(), wait, reset);
  }
}

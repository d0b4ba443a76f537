package io.sluice.limiter;

/**
 * What one limit's state says of one arrival, wherever that state is kept. Both backends find these
 * facts; the decision is derived from them here, and so is the same.
 *
 * @param conformsAtMicros the first instant at which the arrival conforms, or {@link #NEVER}
 * @param metAtMicros when it was charged before, if that holds still, or {@link #NOT_MET}
 * @param remaining permits that could still arrive, after what was charged
 * @param newAtMicros when the key is as good as new
 */
public record Finding(long conformsAtMicros, long metAtMicros, long remaining, long newAtMicros) {
  /** The instant at which an arrival conforms that costs more than could ever fit. */
  public static final long NEVER = Long.MAX_VALUE;

  /** It was not, or that says nothing. */
  public static final long NOT_MET = -1;

  /** What a state says at this instant. */
  public static Finding of(StateReading state, long nowMicros, long conformsAt, long metAt) {
    return new Finding(conformsAt, metAt, state.remaining(nowMicros), state.newAt());
  }

  static boolean isWithin(long patienceMicros, long nowMicros, long conformsAtMicros) {
    return conformsAtMicros != NEVER && conformsAtMicros - nowMicros <= patienceMicros;
  }

  /** What follows for an arrival of this cost, judged at {@code nowMicros}. */
  public Judgement judge(Rule rule, long cost, long nowMicros) {
    return new Judgement(nowMicros, decide(rule, cost, nowMicros));
  }

  private Decision decide(Rule rule, long cost, long nowMicros) {
    long reset = Math.max(0, newAtMicros - nowMicros);
    if (metAtMicros != NOT_MET) {
      return metAtMicros > nowMicros
          ? new Decision.Waiting(remaining, metAtMicros - nowMicros, reset)
          : new Decision.Conforming(remaining, reset);
    }
    if (conformsAtMicros == NEVER) {
      return new Decision.Oversized(cost, rule.capacity(), remaining, reset);
    }
    long wait = conformsAtMicros - nowMicros;
    if (wait == 0) return new Decision.Conforming(remaining, reset);
    return isWithin(rule.patienceMicros(), nowMicros, conformsAtMicros)
        ? new Decision.Waiting(remaining, wait, reset)
        : new Decision.NonConforming(remaining, wait, reset);
  }
}

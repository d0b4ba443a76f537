package io.sluice.limiter;

import io.sluice.limiter.Decision.Conforming;
import io.sluice.limiter.Decision.NonConforming;
import io.sluice.limiter.Decision.Oversized;
import io.sluice.limiter.Decision.Waiting;

/**
 * What one limit's state says of one arrival, wherever that state is kept. Both backends find these
 * facts; the decision is derived from them here, and so is the same.
 *
 * @param conformsAtMicros the first instant at which the arrival conforms, or {@link #NEVER}
 * @param met when the event was metered before: the instant it was charged at, {@code -instant - 1}
 *     if it was counted as refused, or {@link #NOT_MET}
 * @param remaining permits that could still arrive, after what was charged
 * @param newAtMicros when the key is as good as new
 */
public record Finding(long conformsAtMicros, long met, long remaining, long newAtMicros) {
  /** The instant at which an arrival conforms that costs more than could ever fit. */
  public static final long NEVER = Long.MAX_VALUE;

  public static final long NOT_MET = KeyState.NOT_MET;

  /** What a stored theoretical arrival time says. */
  public static Finding ofGcra(
      Rule rule, long nowMicros, long[] conformsAtAndMet, long[] tatMicrosAndFraction) {
    GcraState state = new GcraState(rule, tatMicrosAndFraction[0], tatMicrosAndFraction[1]);
    return of(state, nowMicros, conformsAtAndMet);
  }

  /**
   * What stored counters say: start of the running period, the last period's, the running one's.
   */
  public static Finding ofCounter(
      Rule rule, long nowMicros, long[] conformsAtAndMet, long[] startLastRunning) {
    WindowCounter state =
        new WindowCounter(rule, startLastRunning[0], startLastRunning[1], startLastRunning[2]);
    return of(state, nowMicros, conformsAtAndMet);
  }

  /**
   * The first instant, at or after now, at which a cost within the permits conforms by stored
   * counters.
   */
  public static long counterConformsAt(
      Rule rule, long nowMicros, long cost, long[] startLastRunning) {
    return new WindowCounter(rule, startLastRunning[0], startLastRunning[1], startLastRunning[2])
        .conformsAt(nowMicros, cost);
  }

  private static Finding of(KeyState state, long nowMicros, long[] conformsAtAndMet) {
    return new Finding(
        conformsAtAndMet[0], conformsAtAndMet[1], state.remaining(nowMicros), state.newAt());
  }

  static boolean isWithin(long patienceMicros, long nowMicros, long conformsAtMicros) {
    return conformsAtMicros != NEVER && conformsAtMicros - nowMicros <= patienceMicros;
  }

  /** What follows for the arrival, judged at {@code nowMicros}. */
  public Decision decide(Rule rule, Arrival arrival, long nowMicros) {
    long reset = Math.max(0, newAtMicros - arrival.nowMicros());
    if (met >= 0) {
      return met > nowMicros
          ? new Waiting(remaining, met - nowMicros, reset)
          : new Conforming(remaining, reset);
    }
    if (conformsAtMicros == NEVER) {
      return new Oversized(arrival.cost(), rule.capacity(), remaining, reset);
    }
    if (conformsAtMicros == nowMicros && met == NOT_MET) return new Conforming(remaining, reset);
    if (isWithin(rule.patienceMicros(), nowMicros, conformsAtMicros) && met == NOT_MET) {
      return new Waiting(remaining, conformsAtMicros - nowMicros, reset);
    }
    return new NonConforming(remaining, conformsAtMicros - arrival.nowMicros(), reset);
  }
}

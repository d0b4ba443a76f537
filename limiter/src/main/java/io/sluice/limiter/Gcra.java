package io.sluice.limiter;

import static java.lang.Math.max;

/**
 * Generic cell rate algorithm (GCRA), virtual-scheduling form, in exact integers: pure functions of
 * a bucket's state and the time. Immutable.
 */
public final class Gcra {
  /*
   * ITU-T I.371 Annex A, ATM Forum TM 4.1. The whole state of a key is its theoretical arrival time
   * (TAT): the instant at which its next permit would fall due if traffic were spaced evenly at the
   * quota's rate. An arrival moves the TAT forward by one emission interval per permit, and
   * conforms if the TAT then is at most a burst's span after now. A TAT in the past means an idle
   * key and is read as now, so an idle key saves at most one burst.
   *
   * The emission interval, period / permits, is seldom a whole number of microseconds, and rounding
   * it would make the rate drift. So an instant is kept as whole microseconds and a fraction
   * counted in 1/permits of a microsecond, 0 <= fraction < permits: every sum is then exact. An
   * interval for n permits is n * period / permits; with period = q * permits + m it is n * q whole
   * microseconds and n * m fractions, and no product passes 2^62 (see Quota.MOST_PERMITS).
   */

  private final long permits;
  private final long periodMicros;
  private final long burst;
  private final long intervalMicros;
  private final long intervalFraction;
  private final long toleranceMicros;
  private final long toleranceFraction;

  public Gcra(Quota quota) {
    permits = quota.permits();
    periodMicros = quota.periodMicros();
    burst = quota.burst();
    intervalMicros = periodMicros / permits;
    intervalFraction = periodMicros % permits;
    toleranceMicros = spanMicros(burst);
    toleranceFraction = spanFraction(burst);
  }

  /**
   * Returns the time that {@code n} permits take at the quota's rate, in whole microseconds,
   * rounded down.
   */
  public long spanMicros(long n) {
    if (n == 1) return intervalMicros; // cost 1, the most frequent one, needs no slow division
    return n * intervalMicros + n * intervalFraction / permits;
  }

  /**
   * Returns the fraction of a microsecond that {@link #spanMicros} rounds off, in units of
   * 1/permits of a microsecond.
   */
  public long spanFraction(long n) {
    if (n == 1) return intervalFraction;
    return n * intervalFraction % permits;
  }

  /**
   * Returns how far the theoretical arrival time (TAT) may be ahead of now: the time that a burst
   * takes at the quota's rate, in whole microseconds, rounded down.
   */
  public long toleranceMicros() {
    return toleranceMicros;
  }

  public long toleranceFraction() {
    return toleranceFraction;
  }

  /**
   * Returns the first whole epoch microsecond, at or after now, at which an arrival with a cost of
   * at most the burst conforms.
   */
  long conformsAt(long tatMicros, long tatFraction, long nowMicros, long cost) {
    // A TAT before now needs no special case: for a cost of at most the burst, the formula then
    // gives an instant before now, and the result is now.
    long micros = tatMicros + spanMicros(cost) - toleranceMicros;
    long fraction = tatFraction + spanFraction(cost) - toleranceFraction;
    return max(nowMicros, micros + wholeMicros(fraction));
  }

  /**
   * Rounds a fraction, in units of 1/permits of a microsecond, up to whole microseconds. The
   * fraction is above -1 and below 2 microseconds; a negative one gives 0.
   */
  private long wholeMicros(long fraction) {
    if (fraction <= 0) return 0;
    return fraction <= permits ? 1 : 2;
  }

  /**
   * Returns the TAT after a charge of {@code cost} permits at {@code atMicros}, in whole epoch
   * microseconds, rounded down.
   */
  long chargedMicros(long tatMicros, long tatFraction, long atMicros, long cost) {
    boolean idle = tatMicros < atMicros;
    long fraction = (idle ? 0 : tatFraction) + spanFraction(cost);
    return (idle ? atMicros : tatMicros) + spanMicros(cost) + (fraction >= permits ? 1 : 0);
  }

  /**
   * Returns the fraction of the TAT after a charge of {@code cost} permits at {@code atMicros}, in
   * units of 1/permits of a microsecond.
   */
  long chargedFraction(long tatMicros, long tatFraction, long atMicros, long cost) {
    long fraction = (tatMicros < atMicros ? 0 : tatFraction) + spanFraction(cost);
    return fraction >= permits ? fraction - permits : fraction;
  }

  /** Returns the first whole epoch microsecond at which no permit is in use. */
  static long endMicros(long tatMicros, long tatFraction) {
    return tatMicros + (tatFraction > 0 ? 1 : 0);
  }

  /** Returns the decision for an arrival that was charged at {@code nowMicros}. */
  Decision admission(long tatMicros, long tatFraction, long nowMicros) {
    return new Decision.Conforming(
        remaining(tatMicros, tatFraction, nowMicros),
        max(0, endMicros(tatMicros, tatFraction) - nowMicros));
  }

  /** Returns the decision for an arrival that conforms at {@code conformsAt} only. */
  Decision refusal(long tatMicros, long tatFraction, long nowMicros, long conformsAt) {
    return new Decision.NonConforming(
        remaining(tatMicros, tatFraction, nowMicros),
        conformsAt - nowMicros,
        max(0, endMicros(tatMicros, tatFraction) - nowMicros));
  }

  /**
   * Returns the number of permits that conform together now: the burst less the backlog of permits
   * that are still in use, rounded down, at least 0.
   */
  long remaining(long tatMicros, long tatFraction, long nowMicros) {
    if (tatMicros < nowMicros) return burst;
    long backlogMicros = tatMicros - nowMicros;
    return max(0, burst - backlogPermits(backlogMicros, tatFraction));
  }

  /**
   * Returns the backlog (the time from now to the TAT) in permits, {@code ceil((micros +
   * fraction/permits) * permits / period)}, or the burst if the backlog is longer than the burst's
   * span.
   */
  private long backlogPermits(long micros, long fraction) {
    if (micros > toleranceMicros) return burst;
    if (Math.multiplyHigh(micros, permits) == 0 && ((micros * permits) >>> 62) == 0) {
      return (micros * permits + fraction + periodMicros - 1) / periodMicros;
    }
    // The product micros * permits can overflow, so the division by the period takes two steps:
    // first whole periods, then the rest of a period.
    long periods = micros / periodMicros;
    long rest = micros % periodMicros;
    long whole = Exact.mulDivFloor(rest, permits, periodMicros);
    long left = remainder(rest, permits, periodMicros) + fraction;
    return periods * permits + whole + (left + periodMicros - 1) / periodMicros;
  }

  private static long remainder(long a, long b, long c) {
    // Both products wrap modulo 2^64, but their difference is the true remainder, because the
    // remainder is at least 0 and below c < 2^63.
    return a * b - Exact.mulDivFloor(a, b, c) * c;
  }
}

package io.sluice.limiter;

import static java.lang.Math.max;

/**
 * Generic cell rate algorithm, virtual-scheduling form, in exact integers. Pure functions of state
 * and time; immutable.
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

  /** Returns the time that {@code n} permits take, in whole microseconds, rounded down. */
  public long spanMicros(long n) {
    if (n == 1) return intervalMicros; // most arrivals: avoids the slow division
    return n * intervalMicros + n * intervalFraction / permits;
  }

  /** Returns the fraction that {@link #spanMicros} rounds off, in 1/permits of a microsecond. */
  public long spanFraction(long n) {
    if (n == 1) return intervalFraction;
    return n * intervalFraction % permits;
  }

  /** Returns how far the TAT may be ahead of now: the span of a burst, in whole microseconds. */
  public long toleranceMicros() {
    return toleranceMicros;
  }

  public long toleranceFraction() {
    return toleranceFraction;
  }

  /**
   * Returns the first whole microsecond, at or after now, at which a cost within the burst
   * conforms.
   */
  long conformsAt(long tatMicros, long tatFraction, long nowMicros, long cost) {
    // A TAT in the past needs no special case: a cost within the burst then conforms before now.
    long micros = tatMicros + spanMicros(cost) - toleranceMicros;
    long fraction = tatFraction + spanFraction(cost) - toleranceFraction;
    return max(nowMicros, micros + wholeMicros(fraction));
  }

  /** Rounds a fraction above -1 microsecond and below 2 up to whole microseconds, at least 0. */
  private long wholeMicros(long fraction) {
    if (fraction <= 0) return 0;
    return fraction <= permits ? 1 : 2;
  }

  /** Returns the TAT after charging {@code cost} at {@code atMicros}, in whole microseconds. */
  long chargedMicros(long tatMicros, long tatFraction, long atMicros, long cost) {
    boolean idle = tatMicros < atMicros;
    long fraction = (idle ? 0 : tatFraction) + spanFraction(cost);
    return (idle ? atMicros : tatMicros) + spanMicros(cost) + (fraction >= permits ? 1 : 0);
  }

  /**
   * Returns the fraction of the TAT after charging {@code cost} at {@code atMicros}, in 1/permits
   * of a microsecond.
   */
  long chargedFraction(long tatMicros, long tatFraction, long atMicros, long cost) {
    long fraction = (tatMicros < atMicros ? 0 : tatFraction) + spanFraction(cost);
    return fraction >= permits ? fraction - permits : fraction;
  }

  /** Returns the permits that conform together now: {@code floor(burst - backlog)}, at least 0. */
  long remaining(long tatMicros, long tatFraction, long nowMicros) {
    if (tatMicros < nowMicros) return burst;
    long backlogMicros = tatMicros - nowMicros;
    return max(0, burst - backlogPermits(backlogMicros, tatFraction));
  }

  /**
   * Returns the backlog in permits, {@code ceil((micros + fraction/permits) * permits / period)},
   * or the burst if the backlog is longer than that.
   */
  private long backlogPermits(long micros, long fraction) {
    if (micros > toleranceMicros) return burst;
    if (Math.multiplyHigh(micros, permits) == 0 && ((micros * permits) >>> 62) == 0) {
      return (micros * permits + fraction + periodMicros - 1) / periodMicros;
    }
    // micros * permits + fraction in two steps: whole periods, then the rest of a period.
    long periods = micros / periodMicros;
    long rest = micros % periodMicros;
    long whole = Exact.mulDivFloor(rest, permits, periodMicros);
    long left = remainder(rest, permits, periodMicros) + fraction;
    return periods * permits + whole + (left + periodMicros - 1) / periodMicros;
  }

  private static long remainder(long a, long b, long c) {
    // Both products wrap mod 2^64, but their difference is the true remainder, below c < 2^63.
    return a * b - Exact.mulDivFloor(a, b, c) * c;
  }
}

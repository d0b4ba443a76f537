package io.sluice.limiter;

import static java.lang.Math.max;

/**
 * The generic cell rate algorithm, virtual-scheduling form, in exact integers. Pure: state and time
 * in, state out.
 */
public final class Gcra {
  /*
   * ITU-T I.371 Annex A, ATM Forum TM 4.1. A key's whole state is its theoretical arrival time
   * (TAT): when its next permit would fall due if traffic were spaced evenly at the quota's rate.
   * An arrival pushes the TAT on by one emission interval per permit, and conforms while that
   * leaves the TAT within a burst's worth of now. A TAT in the past means an idle key; it is read
   * as now, so idleness banks at most one burst.
   *
   * The emission interval, period / permits, is seldom a whole number of microseconds, and rounding
   * it would let the rate drift. So an instant is kept as whole microseconds and a fraction counted
   * in 1/permits of a microsecond, 0 <= fraction < permits: every sum is then exact. An interval
   * for n permits is n * period / permits; with period = q * permits + m it is n * q whole
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

  /** Whole microseconds of the time that {@code n} permits take. */
  public long spanMicros(long n) {
    if (n == 1) return intervalMicros; // nearly always, and a division takes as long as all else
    return n * intervalMicros + n * intervalFraction / permits;
  }

  /** What {@link #spanMicros} leaves, in 1/permits of a microsecond. */
  public long spanFraction(long n) {
    if (n == 1) return intervalFraction;
    return n * intervalFraction % permits;
  }

  /** The burst's span: how far the TAT may run ahead of now. */
  public long toleranceMicros() {
    return toleranceMicros;
  }

  public long toleranceFraction() {
    return toleranceFraction;
  }

  /** The first whole microsecond, at or after now, at which a cost within the burst conforms. */
  long conformsAt(long tatMicros, long tatFraction, long nowMicros, long cost) {
    // A TAT in the past needs no case: a cost within the burst then conforms before now anyway.
    long micros = tatMicros + spanMicros(cost) - toleranceMicros;
    long fraction = tatFraction + spanFraction(cost) - toleranceFraction;
    return max(nowMicros, micros + wholeMicros(fraction));
  }

  /** The fraction, above -1 microsecond and below 2, rounded up. */
  private long wholeMicros(long fraction) {
    if (fraction <= 0) return 0;
    return fraction <= permits ? 1 : 2;
  }

  /** The TAT after charging {@code cost} at {@code at}: its whole microseconds. */
  long chargedMicros(long tatMicros, long tatFraction, long atMicros, long cost) {
    boolean idle = tatMicros < atMicros;
    long fraction = (idle ? 0 : tatFraction) + spanFraction(cost);
    return (idle ? atMicros : tatMicros) + spanMicros(cost) + (fraction >= permits ? 1 : 0);
  }

  /** The TAT after charging {@code cost} at {@code at}: its fraction. */
  long chargedFraction(long tatMicros, long tatFraction, long atMicros, long cost) {
    long fraction = (tatMicros < atMicros ? 0 : tatFraction) + spanFraction(cost);
    return fraction >= permits ? fraction - permits : fraction;
  }

  /** Permits that conform now, together: {@code floor(burst - backlog)}, never negative. */
  long remaining(long tatMicros, long tatFraction, long nowMicros) {
    if (tatMicros < nowMicros) return burst;
    long backlogMicros = tatMicros - nowMicros;
    return max(0, burst - backlogPermits(backlogMicros, tatFraction));
  }

  /** {@code ceil((micros + fraction/permits) * permits / period)}. */
  private long backlogPermits(long micros, long fraction) {
    if (micros > toleranceMicros) return burst;
    if (Math.multiplyHigh(micros, permits) == 0 && ((micros * permits) >>> 62) == 0) {
      return (micros * permits + fraction + periodMicros - 1) / periodMicros;
    }
    // micros * permits + fraction in two steps: whole periods, then what is left of one.
    long periods = micros / periodMicros;
    long rest = micros % periodMicros;
    long whole = Exact.mulDivFloor(rest, permits, periodMicros);
    long left = remainder(rest, permits, periodMicros) + fraction;
    return periods * permits + whole + (left + periodMicros - 1) / periodMicros;
  }

  private static long remainder(long a, long b, long c) {
    // a * b mod c wraps mod 2^64 on both sides, and the true remainder is below c < 2^63.
    return a * b - Exact.mulDivFloor(a, b, c) * c;
  }
}

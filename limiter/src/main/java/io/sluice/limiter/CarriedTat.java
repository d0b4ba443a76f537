package io.sluice.limiter;

import java.math.BigInteger;

/**
 * Theoretical arrival time (TAT) of a GCRA bucket, converted at each change of the rate. The
 * permits in use stay in use, and drain at the rate in force. At a change at instant {@code c} from
 * emission interval T to T', the backlog {@code b = TAT - c} becomes {@code b * T' / T}, rounded up
 * to a whole microsecond. The conversion is exact for a backlog of any length.
 */
final class CarriedTat {
  /**
   * Upper bound of the TAT that {@link #micros} returns and of the instant that {@link #endMicros}
   * returns, in epoch microseconds (year 2239): later than the TAT after any charge, and small
   * enough that the TAT plus a cost's span is exact as a double in the Redis script.
   */
  private static final BigInteger MOST_MICROS = BigInteger.valueOf(8_500_000_000_000_000L);

  private BigInteger micros;
  private long fraction;
  private long permits;
  private long periodMicros;

  /**
   * Creates a theoretical arrival time (TAT).
   *
   * @param fraction fraction of the TAT, in units of 1/permits of a microsecond
   * @param permits permits per period of the rate in which the TAT is counted
   */
  CarriedTat(long micros, long fraction, long permits, long periodMicros) {
    this.micros = BigInteger.valueOf(micros);
    this.fraction = fraction;
    this.permits = permits;
    this.periodMicros = periodMicros;
  }

  /**
   * Converts the TAT at each change of the rule after the bucket's clock, up to {@code
   * untilMicros}. If the TAT is counted in another rate than the one in force at the clock, because
   * a change was made known late, the TAT is first converted at the clock.
   */
  CarriedTat follow(Rule rule, long clockMicros, long untilMicros) {
    change(clockMicros, rule.at(clockMicros).quota());
    for (Schedule.Phase each : rule.schedule().between(clockMicros, untilMicros)) {
      change(each.fromMicros(), each.rule().quota());
    }
    return this;
  }

  private void change(long atMicros, Quota to) {
    if (to.permits() == permits && to.periodMicros() == periodMicros) return;
    BigInteger at = BigInteger.valueOf(atMicros);
    BigInteger backlog =
        micros.subtract(at).multiply(BigInteger.valueOf(permits)).add(BigInteger.valueOf(fraction));
    micros = backlog.signum() > 0 ? at.add(converted(backlog, to)) : wholeMicros();
    fraction = 0;
    permits = to.permits();
    periodMicros = to.periodMicros();
  }

  /**
   * Converts a backlog to another rate, in whole microseconds, rounded up.
   *
   * @param backlog time from the change to the TAT, in units of 1/permits of a microsecond
   */
  private BigInteger converted(BigInteger backlog, Quota to) {
    BigInteger[] parts =
        backlog
            .multiply(BigInteger.valueOf(to.periodMicros()))
            .divideAndRemainder(
                BigInteger.valueOf(periodMicros).multiply(BigInteger.valueOf(to.permits())));
    return parts[1].signum() == 0 ? parts[0] : parts[0].add(BigInteger.ONE);
  }

  private BigInteger wholeMicros() {
    return fraction == 0 ? micros : micros.add(BigInteger.ONE);
  }

  long micros() {
    return micros.min(MOST_MICROS).longValue();
  }

  long fraction() {
    return fraction;
  }

  /** Returns the first whole epoch microsecond at which no permit is in use. */
  long endMicros() {
    return wholeMicros().min(MOST_MICROS).longValue();
  }
}

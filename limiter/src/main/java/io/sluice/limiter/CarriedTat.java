package io.sluice.limiter;

import java.math.BigInteger;

/**
 * TAT that is converted at each change of the rate: the permits in use stay in use, and drain at
 * the rate in force. A backlog {@code b = TAT - c} at a change at instant {@code c} from emission
 * interval T to T' becomes {@code b * T' / T}, rounded up to a whole microsecond. Exact for a
 * backlog of any length.
 */
final class CarriedTat {
  /**
   * Latest TAT that is returned, in the year 2239: later than any charged TAT, and exact in a
   * script even after a cost is added.
   */
  private static final BigInteger MOST_MICROS = BigInteger.valueOf(8_500_000_000_000_000L);

  private BigInteger micros;
  private long fraction;
  private long permits;
  private long periodMicros;

  /**
   * Creates a TAT.
   *
   * @param fraction in 1/permits of a microsecond
   * @param permits of the rate in which the TAT is counted
   */
  CarriedTat(long micros, long fraction, long permits, long periodMicros) {
    this.micros = BigInteger.valueOf(micros);
    this.fraction = fraction;
    this.permits = permits;
    this.periodMicros = periodMicros;
  }

  /**
   * Applies the changes of a rule from the bucket's clock on. If the rate in force at the clock is
   * not the one that the TAT is counted in, because a change came late, the TAT is converted at the
   * clock.
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
   * @param backlog in 1/permits of a microsecond
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

  /** Returns the first whole microsecond at which no permit is in use. */
  long endMicros() {
    return wholeMicros().min(MOST_MICROS).longValue();
  }
}

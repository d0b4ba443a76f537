package io.sluice.limiter;

import static java.lang.Math.max;

import io.sluice.limiter.rows.Fingerprint;
import io.sluice.limiter.rows.LastAdmitted;
import io.sluice.limiter.rows.PriorCharge;
import io.sluice.limiter.rows.Rows;
import io.sluice.limiter.rows.Storage;
import io.sluice.limiter.rows.StoredFormat;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Bucket state of GCRA: the theoretical arrival time (TAT) and the rate in which it is counted, the
 * bucket's clock, its latest reserved slot, and the last arrivals that the bucket has admitted.
 */
final class GcraState implements KeyState {
  /** Properties of {@link Algorithm#GCRA}. */
  static final AlgorithmTraits TRAITS = new Traits();

  /**
   * Version of the row format that this class writes; rows of version 1 do not contain the rate.
   */
  static final byte VERSION = 2;

  /**
   * Offset in bytes of the bucket's clock in a row, after the row's version byte. The offsets of
   * the other fields follow; the last admitted arrivals come after all fields, from {@link #PLAIN}
   * on.
   */
  static final int CLOCK_AT = 1;

  static final int TAT_AT = CLOCK_AT + Long.BYTES;
  static final int RESERVED_AT = TAT_AT + Long.BYTES;
  static final int FRACTION_AT = RESERVED_AT + Long.BYTES;
  static final int PERMITS_AT = FRACTION_AT + Integer.BYTES;
  static final int PERIOD_AT = PERMITS_AT + Integer.BYTES;
  static final int PLAIN = PERIOD_AT + Long.BYTES;

  private static final long UNSIGNED = 0xffff_ffffL;

  private final Rule rule;
  private final Rule inForce;
  private final Gcra gcra;
  private long permits;
  private long periodMicros;
  private long clockMicros;
  private long tatMicros;
  private long tatFraction;
  private long reservedMicros;
  private LastAdmitted last = LastAdmitted.none();

  /**
   * Creates a fully reset state.
   *
   * @param inForce the rule with the numbers in force at the bucket's clock, or at the instant at
   *     which the bucket is judged
   */
  private GcraState(Rule rule, Rule inForce) {
    this.rule = rule;
    this.inForce = inForce;
    gcra = new Gcra(inForce.quota());
    permits = inForce.quota().permits();
    periodMicros = inForce.quota().periodMicros();
  }

  static GcraState load(Rule rule, byte[] value) {
    byte version = StoredFormat.check(value, VERSION, "a bucket of limit " + rule.name());
    ByteBuffer in = ByteBuffer.wrap(value);
    in.get();
    long clockMicros = in.getLong();
    GcraState state = new GcraState(rule, rule.at(clockMicros));
    state.clockMicros = clockMicros;
    state.tatMicros = in.getLong();
    state.reservedMicros = in.getLong();
    state.tatFraction = in.getInt() & UNSIGNED;
    if (version == VERSION) state.readRate(in);
    else state.takeRateInForce();
    state.last = LastAdmitted.read(in);
    return state;
  }

  private void readRate(ByteBuffer in) {
    permits = in.getInt() & UNSIGNED;
    periodMicros = in.getLong();
  }

  private void takeRateInForce() {
    if (tatFraction < permits) return;
    // The fraction was counted in the units of an earlier quota: round it up.
    tatMicros++;
    tatFraction = 0;
  }

  @Override
  public void save(Rows rows, byte[] row) {
    ByteBuffer out = ByteBuffer.allocate(PLAIN + last.bytes());
    out.put(VERSION).putLong(clockMicros).putLong(tatMicros).putLong(reservedMicros);
    out.putInt((int) tatFraction).putInt((int) permits).putLong(periodMicros);
    last.write(out);
    rows.put(row, out.array());
  }

  @Override
  public long clockMicros() {
    return clockMicros;
  }

  @Override
  public KeyState carriedTo(long nowMicros) {
    boolean same = !rule.schedule().changes(clockMicros, nowMicros);
    if (same && isCountedAt(inForce.quota())) return this;
    GcraState carried = new GcraState(rule, rule.at(nowMicros));
    carried.clockMicros = clockMicros;
    carried.reservedMicros = reservedMicros;
    if (rule.schedule().beginsAnew(clockMicros, nowMicros)) return carried;
    CarriedTat tat = tat().follow(rule, clockMicros, nowMicros);
    carried.tatMicros = tat.micros();
    carried.tatFraction = tat.fraction();
    carried.last = last;
    return carried;
  }

  private boolean isCountedAt(Quota rate) {
    return permits == rate.permits() && periodMicros == rate.periodMicros();
  }

  private CarriedTat tat() {
    return new CarriedTat(tatMicros, tatFraction, permits, periodMicros);
  }

  @Override
  public long conformsAt(long nowMicros, long cost) {
    long from = inForce.shapes() ? max(nowMicros, reservedMicros) : nowMicros;
    return gcra.conformsAt(tatMicros, tatFraction, from, cost);
  }

  @Override
  public void charge(long nowMicros, long atMicros, long cost, Fingerprint fingerprint) {
    long micros = gcra.chargedMicros(tatMicros, tatFraction, atMicros, cost);
    tatFraction = gcra.chargedFraction(tatMicros, tatFraction, atMicros, cost);
    tatMicros = micros;
    clockMicros = max(clockMicros, nowMicros);
    if (inForce.shapes() && atMicros > nowMicros) reservedMicros = atMicros;
    if (reservedMicros <= nowMicros) reservedMicros = 0;
    last = last.with(fingerprint, atMicros);
  }

  /**
   * Meters an arrival without an identity under a rule that only refuses and never changes. The
   * decision and the new state are those of {@link #conformsAt} and {@link #charge}, with fewer
   * steps.
   *
   * @param cost permits, 1 to the burst
   */
  Decision police(long arrivedMicros, long cost) {
    long nowMicros = max(arrivedMicros, clockMicros);
    long conformsAt = gcra.conformsAt(tatMicros, tatFraction, nowMicros, cost);
    if (conformsAt > nowMicros) return gcra.refusal(tatMicros, tatFraction, nowMicros, conformsAt);
    long fraction = gcra.chargedFraction(tatMicros, tatFraction, nowMicros, cost);
    tatMicros = gcra.chargedMicros(tatMicros, tatFraction, nowMicros, cost);
    tatFraction = fraction;
    clockMicros = nowMicros;
    return gcra.admission(tatMicros, tatFraction, nowMicros);
  }

  @Override
  public void chargeRefused(long nowMicros, long cost) {
    throw new IllegalStateException("GCRA does not count attempts");
  }

  @Override
  public PriorCharge prior(long nowMicros, Fingerprint fingerprint) {
    return last.prior(fingerprint, rule.schedule().cutoff(inForce, nowMicros));
  }

  @Override
  public long remaining(long nowMicros) {
    return gcra.remaining(tatMicros, tatFraction, nowMicros);
  }

  @Override
  public long newAt() {
    return Gcra.endMicros(tatMicros, tatFraction);
  }

  @Override
  public long forgottenAt() {
    // A reserved slot can be later than the TAT, because a change of the rate moves the TAT but not
    // the slot.
    long unused = max(reservedMicros, tat().follow(rule, clockMicros, Long.MAX_VALUE).endMicros());
    if (last.bytes() == 0) return unused;
    return max(unused, rule.schedule().leavesAt(rule, last.latestMicros(), clockMicros));
  }

  private static final class Traits extends AlgorithmTraits {
    Traits() {
      super('G', new Algorithm.Script("gcra", 0, "g2"), Ability.BURST, Ability.RESERVING);
    }

    @Override
    KeyState inMemory(Rule rule) {
      return new GcraState(rule, rule.at(0));
    }

    @Override
    KeyState load(Rule rule, Storage storage, byte[] row, byte[] value) {
      return GcraState.load(rule, value);
    }

    @Override
    Optional<ShortWay> shortWay(Rows rows) {
      return Optional.of(new GcraFastPath(rows));
    }

    @Override
    StateReading found(Rule rule, LongSupplier numbers) {
      GcraState state = new GcraState(rule, rule);
      state.tatMicros = numbers.getAsLong();
      state.tatFraction = numbers.getAsLong();
      return state;
    }
  }

  /**
   * Theoretical arrival time (TAT) of a GCRA bucket, converted at each change of the rate. The
   * permits in use stay in use, and drain at the rate in force. At a change at instant {@code c}
   * from emission interval T to T', the backlog {@code b = TAT - c} becomes {@code b * T' / T},
   * rounded up to a whole microsecond. The conversion is exact for a backlog of any length.
   */
  static final class CarriedTat {
    /**
     * Upper bound of the TAT that {@link #micros} returns and of the instant that {@link
     * #endMicros} returns, in epoch microseconds (year 2239): later than the TAT after any charge,
     * and small enough that the TAT plus a cost's span is exact as a double in the Redis script.
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
     * untilMicros}. If the TAT is counted in another rate than the one in force at the clock,
     * because a change was made known late, the TAT is first converted at the clock.
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
          micros
              .subtract(at)
              .multiply(BigInteger.valueOf(permits))
              .add(BigInteger.valueOf(fraction));
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
}

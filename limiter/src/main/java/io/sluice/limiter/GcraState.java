package io.sluice.limiter;

import static java.lang.Math.max;

import io.sluice.limiter.rows.Fingerprint;
import io.sluice.limiter.rows.LastAdmitted;
import io.sluice.limiter.rows.PriorCharge;
import io.sluice.limiter.rows.Rows;
import io.sluice.limiter.rows.Storage;
import io.sluice.limiter.rows.StoredFormat;
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
}

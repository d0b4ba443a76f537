package io.sluice.limiter;

import io.sluice.limiter.rows.Fingerprint;
import io.sluice.limiter.rows.PriorCharge;
import io.sluice.limiter.rows.Rows;
import io.sluice.limiter.rows.Storage;
import io.sluice.limiter.rows.StoredFormat;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;

/** A bucket's TAT, its clock, the last instant reserved on it, and the last it has admitted. */
final class GcraState implements KeyState {
  /** What sets it apart. */
  static final AlgorithmTraits TRAITS = new Traits();

  private static final int PLAIN = 1 + 3 * Long.BYTES + Integer.BYTES;

  private final Rule rule;
  private final Gcra gcra;
  private long clockMicros;
  private long tatMicros;
  private long tatFraction;
  private long reservedMicros;
  private LastAdmitted last = LastAdmitted.none();

  GcraState(Rule rule) {
    this.rule = rule;
    gcra = new Gcra(rule.quota());
  }

  static GcraState load(Rule rule, byte[] value) {
    StoredFormat.check(value, "a bucket of limit " + rule.name());
    GcraState state = new GcraState(rule);
    ByteBuffer in = ByteBuffer.wrap(value);
    in.get();
    state.clockMicros = in.getLong();
    state.tatMicros = in.getLong();
    state.reservedMicros = in.getLong();
    state.tatFraction = in.getInt() & 0xffff_ffffL;
    if (state.tatFraction >= rule.quota().permits()) { // the quota has changed since
      state.tatMicros++;
      state.tatFraction = 0;
    }
    state.last = LastAdmitted.read(in);
    return state;
  }

  @Override
  public void save(Rows rows, byte[] row) {
    ByteBuffer out = ByteBuffer.allocate(PLAIN + last.bytes());
    out.put(StoredFormat.VERSION).putLong(clockMicros).putLong(tatMicros).putLong(reservedMicros);
    last.write(out.putInt((int) tatFraction)); // below 2^31, as permits are at most that
    rows.put(row, out.array());
  }

  @Override
  public long clockMicros() {
    return clockMicros;
  }

  @Override
  public long conformsAt(long nowMicros, long cost) {
    long from = rule.shapes() ? Math.max(nowMicros, reservedMicros) : nowMicros;
    return gcra.conformsAt(tatMicros, tatFraction, from, cost);
  }

  @Override
  public void charge(long nowMicros, long atMicros, long cost, Fingerprint fingerprint) {
    long micros = gcra.chargedMicros(tatMicros, tatFraction, atMicros, cost);
    tatFraction = gcra.chargedFraction(tatMicros, tatFraction, atMicros, cost);
    tatMicros = micros;
    clockMicros = Math.max(clockMicros, nowMicros);
    if (rule.shapes() && atMicros > nowMicros) reservedMicros = atMicros;
    if (reservedMicros <= nowMicros) reservedMicros = 0;
    last = last.with(fingerprint, atMicros);
  }

  @Override
  public void chargeRefused(long nowMicros, long cost) {
    throw new IllegalStateException("GCRA does not count attempts");
  }

  @Override
  public PriorCharge prior(long nowMicros, Fingerprint fingerprint) {
    return last.prior(fingerprint, nowMicros - rule.quota().periodMicros());
  }

  @Override
  public long remaining(long nowMicros) {
    return gcra.remaining(tatMicros, tatFraction, nowMicros);
  }

  @Override
  public long newAt() {
    return tatMicros + (tatFraction > 0 ? 1 : 0);
  }

  @Override
  public long forgottenAt() {
    return last.bytes() == 0
        ? newAt()
        : Math.max(newAt(), last.latestMicros() + rule.quota().periodMicros());
  }

  private static final class Traits extends AlgorithmTraits {
    Traits() {
      super('G', new Algorithm.Script("gcra", 0, "g2"), Ability.BURST, Ability.RESERVING);
    }

    @Override
    KeyState inMemory(Rule rule) {
      return new GcraState(rule);
    }

    @Override
    KeyState load(Rule rule, Storage storage, byte[] row, byte[] value) {
      return GcraState.load(rule, value);
    }

    @Override
    StateReading found(Rule rule, LongSupplier numbers) {
      GcraState state = new GcraState(rule);
      state.tatMicros = numbers.getAsLong();
      state.tatFraction = numbers.getAsLong();
      return state;
    }
  }
}

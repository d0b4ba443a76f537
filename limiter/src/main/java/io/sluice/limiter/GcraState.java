package io.sluice.limiter;

import java.nio.ByteBuffer;

/** A key's TAT, and the last instant reserved on it. */
final class GcraState implements KeyState {
  private static final int PLAIN = 2 * Long.BYTES;

  private final Rule rule;
  private final Gcra gcra;
  private long tatMicros;
  private long tatFraction;
  private long reservedMicros;

  GcraState(Rule rule) {
    this.rule = rule;
    gcra = new Gcra(rule.quota());
  }

  static GcraState load(Rule rule, byte[] value) {
    GcraState state = new GcraState(rule);
    ByteBuffer in = ByteBuffer.wrap(value);
    state.tatMicros = in.getLong();
    state.tatFraction = in.getLong();
    if (state.tatFraction >= rule.quota().permits()) { // the quota has changed since
      state.tatMicros++;
      state.tatFraction = 0;
    }
    if (value.length > PLAIN) state.reservedMicros = in.getLong();
    return state;
  }

  @Override
  public void save(Rows rows, byte[] row) {
    boolean plain = reservedMicros == 0;
    ByteBuffer out = ByteBuffer.allocate(plain ? PLAIN : PLAIN + Long.BYTES);
    out.putLong(tatMicros).putLong(tatFraction);
    if (!plain) out.putLong(reservedMicros);
    rows.put(row, out.array());
  }

  @Override
  public long clockMicros() {
    return 0; // a TAT ahead of now already holds what a clock would
  }

  @Override
  public long conformsAt(long nowMicros, long cost) {
    long from = rule.shapes() ? Math.max(nowMicros, reservedMicros) : nowMicros;
    return gcra.conformsAt(tatMicros, tatFraction, from, cost);
  }

  @Override
  public void charge(long nowMicros, long atMicros, long cost, long eventHash) {
    long micros = gcra.chargedMicros(tatMicros, tatFraction, atMicros, cost);
    tatFraction = gcra.chargedFraction(tatMicros, tatFraction, atMicros, cost);
    tatMicros = micros;
    if (rule.shapes() && atMicros > nowMicros) reservedMicros = atMicros;
    if (reservedMicros <= nowMicros) reservedMicros = 0;
  }

  @Override
  public void chargeRefused(long nowMicros, long cost, long eventHash) {
    throw new IllegalStateException("GCRA does not count attempts");
  }

  @Override
  public long met(long nowMicros, long sinceMicros, long eventHash) {
    return NOT_MET; // remembered beside the state, see RecentEvents
  }

  @Override
  public long remaining(long nowMicros) {
    return gcra.remaining(tatMicros, tatFraction, nowMicros);
  }

  @Override
  public long newAt() {
    return tatMicros + (tatFraction > 0 ? 1 : 0);
  }

  /** The state as it was found, wherever it is kept. */
  GcraState(Rule rule, long tatMicros, long tatFraction) {
    this(rule);
    this.tatMicros = tatMicros;
    this.tatFraction = tatFraction;
  }

  /** When a stored row is as good as none. */
  static long newAt(byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value);
    return in.getLong() + (in.getLong() > 0 ? 1 : 0);
  }
}

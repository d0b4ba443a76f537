package io.sluice.limiter;

/** A key's state that is written back to its row whenever it is charged. */
final class StoredState implements KeyState {
  private final KeyState state;
  private final Rows rows;
  private final byte[] row;

  StoredState(Rule rule, Rows rows, byte[] row) {
    this.rows = rows;
    this.row = row;
    state = KeyState.load(rule, rows, row);
  }

  @Override
  public long clockMicros() {
    return state.clockMicros();
  }

  @Override
  public long conformsAt(long nowMicros, long cost) {
    return state.conformsAt(nowMicros, cost);
  }

  @Override
  public void charge(long nowMicros, long atMicros, long cost, long eventHash) {
    state.charge(nowMicros, atMicros, cost, eventHash);
    state.save(rows, row);
  }

  @Override
  public void chargeRefused(long nowMicros, long cost, long eventHash) {
    state.chargeRefused(nowMicros, cost, eventHash);
    state.save(rows, row);
  }

  @Override
  public long met(long nowMicros, long sinceMicros, long eventHash) {
    return state.met(nowMicros, sinceMicros, eventHash);
  }

  @Override
  public long remaining(long nowMicros) {
    return state.remaining(nowMicros);
  }

  @Override
  public long newAt() {
    return state.newAt();
  }

  @Override
  public void save(Rows into, byte[] as) {
    state.save(into, as);
  }
}

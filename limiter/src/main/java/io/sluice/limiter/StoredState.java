package io.sluice.limiter;

import io.sluice.limiter.rows.Fingerprint;
import io.sluice.limiter.rows.PriorCharge;
import io.sluice.limiter.rows.Rows;
import io.sluice.limiter.rows.Storage;

/** A key's state that is written back to its row whenever it is charged. */
final class StoredState implements KeyState {
  private final KeyState state;
  private final Rows rows;
  private final byte[] row;

  StoredState(Rule rule, Storage storage, byte[] row) {
    this(load(rule.algorithm().traits(), rule, storage, row), storage.rows(), row);
  }

  private StoredState(KeyState state, Rows rows, byte[] row) {
    this.state = state;
    this.rows = rows;
    this.row = row;
  }

  private static KeyState load(AlgorithmTraits traits, Rule rule, Storage storage, byte[] row) {
    byte[] value = storage.rows().get(row);
    return value == null
        ? traits.empty(rule, storage, row)
        : traits.load(rule, storage, row, value);
  }

  @Override
  public long clockMicros() {
    return state.clockMicros();
  }

  @Override
  public KeyState carriedTo(long nowMicros) {
    KeyState carried = state.carriedTo(nowMicros);
    return carried == state ? this : new StoredState(carried, rows, row);
  }

  @Override
  public long conformsAt(long nowMicros, long cost) {
    return state.conformsAt(nowMicros, cost);
  }

  @Override
  public void charge(long nowMicros, long atMicros, long cost, Fingerprint fingerprint) {
    state.charge(nowMicros, atMicros, cost, fingerprint);
    state.save(rows, row);
  }

  @Override
  public void chargeRefused(long nowMicros, long cost) {
    state.chargeRefused(nowMicros, cost);
    state.save(rows, row);
  }

  @Override
  public PriorCharge prior(long nowMicros, Fingerprint fingerprint) {
    return state.prior(nowMicros, fingerprint);
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
  public long forgottenAt() {
    return state.forgottenAt();
  }

  @Override
  public void save(Rows into, byte[] as) {
    state.save(into, as);
  }
}

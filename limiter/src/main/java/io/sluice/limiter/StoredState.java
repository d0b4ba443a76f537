package io.sluice.limiter;

import io.sluice.limiter.rows.BlockedRow;
import io.sluice.limiter.rows.Fingerprint;
import io.sluice.limiter.rows.Rows;
import io.sluice.limiter.rows.Storage;

/** Bucket state together with the bucket's block; each charge writes both to the bucket's row. */
final class StoredState {
  private final Rule rule;
  private final KeyState state;
  private final Storage storage;
  private final byte[] row;
  private final long blockedUntilMicros;

  private StoredState(
      Rule rule, KeyState state, Storage storage, byte[] row, long blockedUntilMicros) {
    this.rule = rule;
    this.state = state;
    this.storage = storage;
    this.row = row;
    this.blockedUntilMicros = blockedUntilMicros;
  }

  /**
   * Returns a state that has no block and no row of its own, because Bloom filters hold its key.
   */
  static StoredState unblocked(Rule rule, KeyState state, Storage storage, byte[] row) {
    return new StoredState(rule, state, storage, row, 0);
  }

  static StoredState load(Rule rule, Storage storage, byte[] row) {
    return load(rule, storage, row, storage.rows().get(row));
  }

  /**
   * Reads the state and the block of a bucket from its row.
   *
   * @param value value of this row; null if the row is absent
   */
  static StoredState load(Rule rule, Storage storage, byte[] row, byte[] value) {
    AlgorithmTraits traits = rule.algorithm().traits();
    if (value == null) {
      return new StoredState(rule, traits.empty(rule, storage, row), storage, row, 0);
    }
    KeyState state = traits.load(rule, storage, row, BlockedRow.plain(value));
    long untilMicros = rule.blocks() ? BlockedRow.untilMicros(value) : 0;
    return new StoredState(rule, state, storage, row, untilMicros);
  }

  /**
   * Returns the end of the bucket's block in epoch microseconds, which may have passed; 0 if the
   * bucket has no block.
   */
  long blockedUntilMicros() {
    return blockedUntilMicros;
  }

  /** Blocks the bucket until {@code untilMicros}, and leaves the rest of its row unchanged. */
  void block(long untilMicros) {
    Rows rows = storage.rows();
    rows.put(row, BlockedRow.of(rows.get(row), untilMicros));
  }

  long clockMicros() {
    return state.clockMicros();
  }

  /** Returns the state and the block as they are at {@code nowMicros}. */
  StoredState carriedTo(long nowMicros) {
    boolean lifted = blockedUntilMicros > 0 && rule.schedule().beginsAnew(clockMicros(), nowMicros);
    KeyState carried = state.carriedTo(nowMicros);
    if (carried == state && !lifted) return this;
    return new StoredState(rule, carried, storage, row, lifted ? 0 : blockedUntilMicros);
  }

  /** Returns the bucket's state, without its block. */
  KeyState state() {
    return state;
  }

  void charge(long nowMicros, long atMicros, long cost, Fingerprint fingerprint) {
    state.charge(nowMicros, atMicros, cost, fingerprint);
    save(nowMicros);
  }

  void chargeRefused(long nowMicros, long cost) {
    state.chargeRefused(nowMicros, cost);
    save(nowMicros);
  }

  private void save(long nowMicros) {
    state.save(storage.rows(), row);
    if (blockedUntilMicros > nowMicros) block(blockedUntilMicros);
  }

  /**
   * Writes the rows of an arrival that comes again once more, unchanged, because their changelog
   * topic may have lost them; does nothing if rows and answers are always undone together.
   */
  void saveAgain(long atMicros, Fingerprint fingerprint) {
    if (!storage.conditions().repeats()) return;
    state.saveAgain(storage.rows(), row, atMicros, fingerprint);
  }

  long forgottenAt() {
    return Math.max(state.forgottenAt(), blockedUntilMicros);
  }
}

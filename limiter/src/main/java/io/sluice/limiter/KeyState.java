package io.sluice.limiter;

import io.sluice.limiter.rows.Fingerprint;
import io.sluice.limiter.rows.PriorCharge;
import io.sluice.limiter.rows.Rows;

/**
 * One key's state under one rule, held while arrivals are metered. Not thread-safe. Reading never
 * changes what is stored: only {@link #save} does.
 */
interface KeyState extends StateReading {
  /**
   * The latest instant at which the bucket was judged and charged, or counted an attempt: arrivals
   * are judged no earlier. 0 if it never was.
   */
  long clockMicros();

  /**
   * The state as it is at this instant, no earlier than its clock: changes of the rule since then
   * are applied, and it is judged by the numbers in force. What is stored stays as it was until the
   * state that this returns is saved. To be called before anything else is asked of a state, but
   * for its clock and when it may be forgotten.
   */
  KeyState carriedTo(long nowMicros);

  /** Names the value that the arrival in question brings, where distinct values are counted. */
  default void about(ValueHash value) {}

  /** Whether an arrival of this cost that is admitted at {@code at} uses anything up. */
  default boolean isChargedBy(long atMicros, long cost) {
    return cost > 0;
  }

  /** Charges an admitted arrival at {@code at}, judged at {@code now}. */
  void charge(long nowMicros, long atMicros, long cost, Fingerprint fingerprint);

  /** Counts an arrival that was refused, where the rule counts attempts; it is not remembered. */
  void chargeRefused(long nowMicros, long cost);

  /** What is remembered of a fingerprint within the period that ends now. */
  PriorCharge prior(long nowMicros, Fingerprint fingerprint);

  /** When nothing that is stored decides anything any more, so that it may be forgotten. */
  long forgottenAt();

  /**
   * Writes once more what is stored of an admitted arrival, as it is there and may be lost
   * elsewhere.
   *
   * @param atMicros the instant at which it was charged
   */
  default void saveAgain(Rows rows, byte[] row, long atMicros, Fingerprint fingerprint) {
    rows.rewrite(row);
  }

  /** Writes the state as the row (and further rows) of this key. */
  void save(Rows rows, byte[] row);
}

package io.sluice.limiter;

import io.sluice.limiter.rows.Fingerprint;
import io.sluice.limiter.rows.PriorCharge;
import io.sluice.limiter.rows.Rows;

/**
 * State of one key under one rule while arrivals are metered. Not thread-safe. Reading never
 * changes what is stored; a charge is complete in the store only after {@link #save}.
 */
interface KeyState extends StateReading {
  /**
   * Returns the bucket's clock: the latest instant at which it was judged and charged, or counted
   * an attempt; 0 if never. Arrivals are judged no earlier.
   */
  long clockMicros();

  /**
   * Returns the state at this instant, which is not before its clock: changes of the rule since
   * then are applied, and the numbers in force judge it. What is stored stays as it is until the
   * returned state is saved. Must be called before any other query, except for the clock and {@link
   * #forgottenAt}.
   */
  KeyState carriedTo(long nowMicros);

  /** Sets the value of the current arrival, for rules that count distinct values. */
  default void about(ValueHash value) {}

  /** Whether an arrival of this cost that is admitted at {@code atMicros} uses any quota. */
  default boolean isChargedBy(long atMicros, long cost) {
    return cost > 0;
  }

  /** Charges an admitted arrival at {@code atMicros}, which was judged at {@code nowMicros}. */
  void charge(long nowMicros, long atMicros, long cost, Fingerprint fingerprint);

  /** Counts a refused arrival, if the rule counts attempts. Its identity is not remembered. */
  void chargeRefused(long nowMicros, long cost);

  /** Returns the earlier charge of a fingerprint within the period that ends now. */
  PriorCharge prior(long nowMicros, Fingerprint fingerprint);

  /**
   * Returns the instant from which on the stored state decides nothing, so that it can be deleted.
   */
  long forgottenAt();

  /**
   * Writes the stored rows of an admitted arrival again, unchanged, because a changelog of the rows
   * may have lost them.
   *
   * @param atMicros the instant at which it was charged
   */
  default void saveAgain(Rows rows, byte[] row, long atMicros, Fingerprint fingerprint) {
    rows.rewrite(row);
  }

  /** Writes the state to the row of this key, and to further rows if it has them. */
  void save(Rows rows, byte[] row);
}

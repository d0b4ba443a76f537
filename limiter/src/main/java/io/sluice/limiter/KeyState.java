package io.sluice.limiter;

import io.sluice.limiter.rows.Fingerprint;
import io.sluice.limiter.rows.PriorCharge;
import io.sluice.limiter.rows.Rows;
import java.util.List;

/**
 * State of one bucket (a key under a rule) while arrivals are metered. Not thread-safe. Queries
 * never change the stored rows; a charge is complete in the store only after {@link #save}.
 */
interface KeyState extends StateReading {
  /**
   * Returns the bucket's clock in epoch microseconds: the latest instant at which the bucket was
   * judged for an arrival that it then charged, or counted as an attempt; 0 if there was none. No
   * arrival is judged at an instant before the clock.
   */
  long clockMicros();

  /**
   * Returns the state as it is at {@code nowMicros}, which is not before the bucket's clock: with
   * the rule's changes since the clock applied, and with the numbers then in force for all queries.
   * The stored rows stay unchanged until the returned state is saved. Must be called before any
   * other query, except for the clock and {@link #forgottenAt}.
   */
  KeyState carriedTo(long nowMicros);

  /**
   * Sets the values of the current arrival, which only rules that count distinct values use.
   *
   * @param more values beside the first one; empty for most arrivals
   */
  default void about(ValueHash value, List<ValueHash> more) {}

  /**
   * Returns the number of the arrival's values if the rule can never admit so many at once;
   * otherwise 0.
   */
  default int tooManyValues(long cost) {
    return 0;
  }

  /** Whether an arrival of this cost that is admitted at {@code atMicros} uses any permit. */
  default boolean isChargedBy(long atMicros, long cost) {
    return cost > 0;
  }

  /**
   * Charges an arrival that was judged at {@code nowMicros} and is admitted at {@code atMicros},
   * which is later if the arrival waits for a slot.
   */
  void charge(long nowMicros, long atMicros, long cost, Fingerprint fingerprint);

  /**
   * Charges a refused arrival as an attempt, under a rule that counts attempts. The arrival's
   * identity is not remembered.
   */
  void chargeRefused(long nowMicros, long cost);

  /**
   * Returns the earlier charge of an arrival with this fingerprint, within the period that ends at
   * {@code nowMicros}; {@link PriorCharge#NONE} if there is none.
   */
  PriorCharge prior(long nowMicros, Fingerprint fingerprint);

  /**
   * Returns the instant, in epoch microseconds, from which on the stored state influences no
   * decision, so that it can be deleted.
   */
  long forgottenAt();

  /**
   * Writes the stored rows of an arrival that was charged before again, unchanged, because the
   * changelog topic of the rows may have lost them.
   *
   * @param atMicros instant at which the arrival was charged
   */
  default void saveAgain(Rows rows, byte[] row, long atMicros, Fingerprint fingerprint) {
    rows.rewrite(row);
  }

  /** Writes the state to this row, and to the bucket's further rows if it has any. */
  void save(Rows rows, byte[] row);
}

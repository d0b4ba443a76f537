package io.sluice.limiter;

import io.sluice.limiter.rows.Rows;
import io.sluice.limiter.rows.Storage;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * All that sets one algorithm apart: what it can do, what its keys are named, and the states of its
 * buckets. Whoever meters asks here, and never which algorithm it is.
 */
abstract class AlgorithmTraits {
  private final char letter;
  private final Algorithm.Script script;
  private final Set<Ability> abilities;

  /** What differs between algorithms, and is asked by the methods of {@link Algorithm}. */
  enum Ability {
    BURST,
    RESERVING,
    COUNTING_ATTEMPTS,
    COUNTING_PERIODS,
    CALENDAR,
    APPROXIMATE,
    KEEPING_ARRIVALS,
    ONCE,
    DISTINCT
  }

  /**
   * A way for what most arrivals are: one that meets one bucket alone, and nothing out of the
   * ordinary there. Its answers, and the rows that it writes, are those of the general way to the
   * byte.
   */
  interface ShortWay {
    /**
     * Meters an arrival.
     *
     * @param row the bucket's
     * @param value that is stored as this row; null if none is
     * @return nothing, and nothing is changed, if it has to go the general way
     */
    Optional<Outcome> meter(Arrival arrival, Rule rule, byte[] row, byte[] value);
  }

  /**
   * @param letter for the shape of its states, in the names of rows
   */
  AlgorithmTraits(char letter, Algorithm.Script script, Ability... abilities) {
    this.letter = letter;
    this.script = script;
    this.abilities = Set.of(abilities);
  }

  final byte letter() {
    return (byte) letter;
  }

  final Algorithm.Script script() {
    return script;
  }

  final boolean has(Ability ability) {
    return abilities.contains(ability);
  }

  /** The state of a key that is as good as new, in memory alone. */
  abstract KeyState inMemory(Rule rule);

  /** The same, to be stored as this row. */
  KeyState empty(Rule rule, Storage storage, byte[] row) {
    return inMemory(rule);
  }

  /** The state that is stored as this row. */
  abstract KeyState load(Rule rule, Storage storage, byte[] row, byte[] value);

  /** The state of a key among these rows. */
  StoredState stored(Rule rule, Storage storage, String key) {
    return StoredState.load(rule, storage, RowKeys.head(rule, key));
  }

  /** For one thread; none if there is none for its buckets. */
  Optional<ShortWay> shortWay(Rows rows) {
    return Optional.empty();
  }

  abstract StateReading found(Rule rule, LongSupplier numbers);

  /** Whether a stored row may have others beside it. */
  boolean hasRowsBeside() {
    return has(Ability.KEEPING_ARRIVALS);
  }

  /** Deletes the rows beside a stored row, if it may have any. */
  void deleteRowsBeside(Rows rows, byte[] row, byte[] value) {}
}

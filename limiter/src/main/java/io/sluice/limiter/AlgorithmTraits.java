package io.sluice.limiter;

import io.sluice.limiter.rows.Rows;
import io.sluice.limiter.rows.Storage;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Properties of one algorithm: its abilities, its letter in the names of rows, its part of the
 * Redis script, and the factory methods of its bucket states. Meters use these properties, and
 * never switch on the {@link Algorithm}.
 */
abstract class AlgorithmTraits {
  private final char letter;
  private final Algorithm.Script script;
  private final Set<Ability> abilities;

  /** Abilities that only some algorithms have, and that methods of {@link Algorithm} report. */
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
   * Fast path for most arrivals: for an arrival with one bucket and without a special case, such as
   * a delay or a block. Its outcomes and the rows that it writes equal those of the general path.
   */
  interface ShortWay {
    /**
     * Meters an arrival, which is no release, against one bucket, unless the arrival needs the
     * general path.
     *
     * @param row name of the bucket's row
     * @param value value of this row; null if the row is absent
     * @return the outcome; empty, with nothing changed, if the arrival needs the general path
     */
    Optional<Outcome> meter(Arrival arrival, Rule rule, byte[] row, byte[] value);
  }

  /**
   * @param letter identifies the algorithm and the format of its bucket states in the names of rows
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

  /** Returns a fully reset bucket state that is kept in memory only. */
  abstract KeyState inMemory(Rule rule);

  /** Returns a fully reset bucket state that will be stored in this row. */
  KeyState empty(Rule rule, Storage storage, byte[] row) {
    return inMemory(rule);
  }

  /** Reads a bucket state from the value of its row. */
  abstract KeyState load(Rule rule, Storage storage, byte[] row, byte[] value);

  /** Returns the bucket state of a key from its row; a fully reset state if the row is absent. */
  StoredState stored(Rule rule, Storage storage, String key) {
    return StoredState.load(rule, storage, RowKeys.head(rule, key));
  }

  /**
   * Creates a fast path over these rows, for use by one thread; empty if the algorithm has no fast
   * path.
   */
  Optional<ShortWay> shortWay(Rows rows) {
    return Optional.empty();
  }

  abstract StateReading found(Rule rule, LongSupplier numbers);

  /** Whether a bucket can have further rows in addition to the row with its state. */
  boolean hasRowsBeside() {
    return has(Ability.KEEPING_ARRIVALS);
  }

  /** Deletes the further rows of a bucket; does nothing for an algorithm without further rows. */
  void deleteRowsBeside(Rows rows, byte[] row, byte[] value) {}
}

package io.sluice.limiter;

import io.sluice.limiter.rows.Rows;
import io.sluice.limiter.rows.Storage;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Properties of one algorithm: its abilities, the parts of its key names, and the factory of its
 * bucket states. Meters use these, and never switch on the {@link Algorithm}.
 */
abstract class AlgorithmTraits {
  private final char letter;
  private final Algorithm.Script script;
  private final Set<Ability> abilities;

  /** Differences between algorithms, which the methods of {@link Algorithm} report. */
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
   * Fast path for most arrivals: those with one bucket and no special case. Its answers and the
   * rows that it writes are byte for byte those of the general path.
   */
  interface ShortWay {
    /**
     * Meters an arrival.
     *
     * @param row name of the bucket's row
     * @param value stored in this row; null if the row is absent
     * @return the outcome; empty, with nothing changed, if the arrival needs the general path
     */
    Optional<Outcome> meter(Arrival arrival, Rule rule, byte[] row, byte[] value);
  }

  /**
   * @param letter identifies the format of its states in row names
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

  /** Returns a fully reset state that is kept in memory only. */
  abstract KeyState inMemory(Rule rule);

  /** Returns a fully reset state that will be stored in this row. */
  KeyState empty(Rule rule, Storage storage, byte[] row) {
    return inMemory(rule);
  }

  /** Reads the state that is stored in this row. */
  abstract KeyState load(Rule rule, Storage storage, byte[] row, byte[] value);

  /** Returns the state of a key that these rows store; fully reset if they store none. */
  StoredState stored(Rule rule, Storage storage, String key) {
    return StoredState.load(rule, storage, RowKeys.head(rule, key));
  }

  /** Returns a fast path for use by one thread; empty if the algorithm has none. */
  Optional<ShortWay> shortWay(Rows rows) {
    return Optional.empty();
  }

  abstract StateReading found(Rule rule, LongSupplier numbers);

  /** Whether a bucket can have more rows than its own. */
  boolean hasRowsBeside() {
    return has(Ability.KEEPING_ARRIVALS);
  }

  /** Deletes the additional rows of a bucket, if it has any. */
  void deleteRowsBeside(Rows rows, byte[] row, byte[] value) {}
}

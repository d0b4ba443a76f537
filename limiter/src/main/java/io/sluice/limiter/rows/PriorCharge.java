package io.sluice.limiter.rows;

/** Earlier charge that a bucket remembers for the identity of an arrival. */
public sealed interface PriorCharge {
  None NONE = new None();

  /** The bucket remembers no charge of the identity. */
  record None() implements PriorCharge {}

  /** The same record was charged, for the instant {@code atMicros}. */
  record SameRecord(long atMicros) implements PriorCharge {}

  /**
   * Another record that claims to be the same event was charged, most recently for the instant
   * {@code atMicros}.
   */
  record SameEvent(long atMicros) implements PriorCharge {}

  /**
   * Returns the earlier charge that an entry with the same event hash stands for.
   *
   * @param sameRecord whether the entry has the same record hash, too
   * @param atMicros instant of the entry
   */
  static PriorCharge of(boolean sameRecord, long atMicros) {
    return sameRecord ? new SameRecord(atMicros) : new SameEvent(atMicros);
  }

  /**
   * Returns the stronger of two earlier charges of one identity: the same record is stronger than
   * the same event, and of two for the same event the later one is stronger.
   */
  static PriorCharge stronger(PriorCharge one, PriorCharge other) {
    if (other instanceof None) return one;
    if (one instanceof SameEvent a && other instanceof SameEvent b) {
      return a.atMicros >= b.atMicros ? one : other;
    }
    return one instanceof None || one instanceof SameEvent ? other : one;
  }
}

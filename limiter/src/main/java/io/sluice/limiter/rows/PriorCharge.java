package io.sluice.limiter.rows;

/** Earlier charge that a bucket remembers for an arrival's identity. */
public sealed interface PriorCharge {
  None NONE = new None();

  /** No charge is remembered, or no longer. */
  record None() implements PriorCharge {}

  /** The same record was charged at this instant. */
  record SameRecord(long atMicros) implements PriorCharge {}

  /** Another record that claims to be the same event was charged, most recently at this instant. */
  record SameEvent(long atMicros) implements PriorCharge {}

  /** Returns the charge of an entry, at this instant, whose event is the same. */
  static PriorCharge of(boolean sameRecord, long atMicros) {
    return sameRecord ? new SameRecord(atMicros) : new SameEvent(atMicros);
  }

  /**
   * Returns the stronger of two charges of one identity: the same record before the same event, and
   * of two for the same event the later one.
   */
  static PriorCharge stronger(PriorCharge one, PriorCharge other) {
    if (other instanceof None) return one;
    if (one instanceof SameEvent a && other instanceof SameEvent b) {
      return a.atMicros >= b.atMicros ? one : other;
    }
    return one instanceof None || one instanceof SameEvent ? other : one;
  }
}

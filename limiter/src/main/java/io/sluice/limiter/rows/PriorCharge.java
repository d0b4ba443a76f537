package io.sluice.limiter.rows;

/** A charge that a bucket remembers by an arrival's identity, if it remembers one. */
public sealed interface PriorCharge {
  None NONE = new None();

  /** Nothing, or no longer. */
  record None() implements PriorCharge {}

  /** The same record was charged at this instant. */
  record SameRecord(long atMicros) implements PriorCharge {}

  /** Another record that claims to be the same event was charged, last at this instant. */
  record SameEvent(long atMicros) implements PriorCharge {}

  /** What an entry at this instant says of an identity with the same event. */
  static PriorCharge of(boolean sameRecord, long atMicros) {
    return sameRecord ? new SameRecord(atMicros) : new SameEvent(atMicros);
  }

  /** Of two memories of one identity, the one that says more. */
  static PriorCharge stronger(PriorCharge one, PriorCharge other) {
    if (other instanceof None) return one;
    if (one instanceof SameEvent a && other instanceof SameEvent b) {
      return a.atMicros >= b.atMicros ? one : other;
    }
    return one instanceof None || one instanceof SameEvent ? other : one;
  }
}

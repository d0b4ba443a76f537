package io.sluice.limiter;

/** What a bucket remembers of an arrival's identity. */
sealed interface Prior {
  None NONE = new None();

  /** Nothing, or no longer. */
  record None() implements Prior {}

  /** The same record was charged at this instant. */
  record Admitted(long atMicros) implements Prior {}

  /** Another record that claims to be the same event was charged, last at this instant. */
  record Claimed(long atMicros) implements Prior {}

  /** Of two memories of one identity, the one that says more. */
  static Prior stronger(Prior one, Prior other) {
    if (other instanceof None) return one;
    if (one instanceof Claimed a && other instanceof Claimed b) {
      return a.atMicros >= b.atMicros ? one : other;
    }
    return one instanceof None || one instanceof Claimed ? other : one;
  }
}

package io.sluice.limiter;

/** How arrivals are held against a {@link Quota}. */
public enum Algorithm {
  /** The generic cell rate algorithm: a leaky bucket as a meter, one instant a key. */
  GCRA,
  /** Every admitted arrival of the last period, counted exactly. */
  SLIDING_WINDOW_LOG,
  /** Two counters a key: the period's, and the share of the last one's still inside. */
  SLIDING_WINDOW_COUNTER
}

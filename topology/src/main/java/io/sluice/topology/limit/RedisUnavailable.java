package io.sluice.topology.limit;

/** The treatment of a limit's events while Redis does not answer. */
public enum RedisUnavailable {
  /** Nothing is metered until it answers again. */
  WAIT,
  /** The limit does not apply. */
  ALLOW,
  /** Nothing passes. */
  REJECT,
  /** Each partition counts for itself meanwhile. */
  STATE_STORE
}

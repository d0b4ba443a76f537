package io.sluice.topology.limit;

/** The place of a limit's counts. */
public enum Backend {
  /** Beside the partition: counts are a partition's own. */
  STATE_STORE,
  /** Shared: counts are over all partitions. */
  REDIS
}
